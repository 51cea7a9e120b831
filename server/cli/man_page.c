/* SPDX-License-Identifier: Apache-2.0
 * man_page.c - see man_page.h. */
#include "server/cli/man_page.h"

#include <stdio.h>

#include "core/posenc.h"
#include "server/cli/help.h"
#include "server/config/config.h"

enum { LINE = 72, TITLE_SIZE = 64 };

/* Adds text so that roff prints it as it is: a hyphen of a name is no hyphenation, and a
 * full stop or an apostrophe at the start of a line begins no request. Long text is broken
 * into lines. */
static void add(struct buffer *out, const char *text)
{
    size_t column = 0;

    for (; *text; text++) {
        if (*text == ' ' && column > LINE) {
            buffer_add_text(out, "\n");
            column = 0;
            continue;
        }
        if (column == 0 && (*text == '.' || *text == '\''))
            buffer_add_text(out, "\\&");
        if (*text == '-')
            buffer_add_text(out, "\\-");
        else if (*text == '\\')
            buffer_add_text(out, "\\e");
        else
            buffer_add(out, text, 1);
        column++;
    }
}

static void add_line(struct buffer *out, const char *macro, const char *text)
{
    buffer_add_text(out, macro);
    add(out, text);
    buffer_add_text(out, "\n");
}

/* Begins the page NAME(1): its title and the line that apropos reads. */
static void begin(struct buffer *out, const char *command, const char *summary)
{
    char name[TITLE_SIZE];

    snprintf(name, sizeof name, "posencd%s%s", command ? "-" : "", command ? command : "");
    buffer_add_text(out, ".TH ");
    for (const char *c = name; *c; c++)
        buffer_add_format(out, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    buffer_add_format(out, " 1 \"\" \"posencd %s\" \"User Commands\"\n.SH NAME\n",
                      pe_version());
    add(out, name);
    buffer_add_format(out, " \\- %s\n", summary); /* one line, which apropos reads */
}

static void add_synopsis(struct buffer *out, const struct command *command)
{
    struct buffer text = {0};

    help_write_synopsis(&text, command);
    buffer_add_text(out, ".B posencd\n");
    if (text.failed)
        buffer_fail(out);
    else
        add_line(out, "", text.bytes);
    buffer_fini(&text);
}

static void add_options(struct buffer *out, const struct command *command)
{
    buffer_add_text(out, ".SH OPTIONS\n");
    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *option = command_option_at(i);

        if (!command_has(command, i))
            continue;
        buffer_add_text(out, ".TP\n.B ");
        if (*option->letter)
            buffer_add_format(out, "\\-%s, ", option->letter);
        add_line(out, "\\-\\-", option->name);
        if (option->value)
            buffer_add_format(out, ".I %s\n.br\n", option->value);
        add_line(out, "", option->help);
    }
    buffer_add_text(out, ".TP\n.B \\-h, \\-\\-help\nprints help and exits\n");
}

static void add_flags(struct buffer *out)
{
    buffer_add_text(out, ".SH FLAGS\n");
    for (size_t i = 0; i < CONFIG_COUNT; i++) {
        const struct config_row *row = config_row_at(i);

        add_line(out, ".TP\n.B \\-\\-", row->name);
        add_line(out, "", row->help);
        if (row->choices)
            add_line(out, ".br\nvalues: ", row->choices);
        if (*row->fallback)
            add_line(out, ".br\ndefault: ", row->fallback);
        buffer_add_text(out, ".br\nenvironment: ");
        config_write_variable(row, out);
        buffer_add_text(out, "\n");
    }
}

static void add_exits(struct buffer *out)
{
    buffer_add_text(out, ".SH \"EXIT STATUS\"\n");
    for (size_t i = 0; i < command_exit_count(); i++) {
        buffer_add_format(out, ".TP\n.B %d\n", command_exit_at(i)->code);
        add_line(out, "", command_exit_at(i)->meaning);
    }
}

static void write_command(struct buffer *out, const struct command *command)
{
    begin(out, command->name, command->summary);
    buffer_add_text(out, ".SH SYNOPSIS\n");
    add_synopsis(out, command);
    buffer_add_text(out, ".SH DESCRIPTION\n");
    add_line(out, "", command->about);
    if (command->reading == COMMAND_READING_FLAGS)
        add_flags(out);
    else
        add_options(out, command);
    add_exits(out);
    buffer_add_text(out, ".SH \"SEE ALSO\"\n.BR posencd (1)\n");
}

static void write_commands(struct buffer *out)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = command_at(i);

        if (command->reading == COMMAND_READING_HIDDEN)
            continue;
        add_line(out, ".TP\n.BR posencd\\-", command->name);
        add_line(out, "", command->summary);
    }
}

static void write_see_also(struct buffer *out)
{
    const char *comma = "";

    buffer_add_text(out, ".SH \"SEE ALSO\"\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (command_at(i)->reading == COMMAND_READING_HIDDEN)
            continue;
        buffer_add_format(out, "%s.BR posencd\\-", comma);
        add(out, command_at(i)->name);
        buffer_add_text(out, " (1)");
        comma = ",\n";
    }
    buffer_add_text(
        out, ",\n.BR posenc (3)\n.PP\nThe header\n.I posenc.h\nis the manual of the library, "
             "libposenc; posenc(3) has its text.\n");
}

void man_page_write(struct buffer *out, const struct command *command)
{
    if (command) {
        write_command(out, command);
        return;
    }
    begin(out, NULL, "positional encodings and attention biases over HTTP");
    buffer_add_text(out, ".SH SYNOPSIS\n.B posencd\n.RI [ COMMAND ]\n.RI [ WORD \" ...]\"\n"
                         ".SH DESCRIPTION\n");
    add_line(
        out, "",
        "posencd serves the numbers of positional encodings and attention biases over HTTP, "
        "and computes, describes and checks them on the command line. Without a command it "
        "serves.");
    buffer_add_text(out, ".SH COMMANDS\n");
    write_commands(out);
    add_exits(out);
    write_see_also(out);
}
