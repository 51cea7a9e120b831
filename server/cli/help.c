/* SPDX-License-Identifier: Apache-2.0
 * help.c - see help.h. */
#include "server/cli/help.h"

#include "proto/describe/encoding_text.h"
#include "server/config/config.h"

enum { INDENT = 6, SYNOPSIS = 65 };

/* Writes the options of a command; if `briefly`, those without a letter as one word. */
static void write_usage(struct buffer *out, const struct command *command, bool briefly)
{
    bool left_out = false;

    buffer_add_format(out, "%s%s%s", command->name, *command->operands ? " " : "",
                      command->operands);
    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *option = command_option_at(i);

        if (!command_has(command, i))
            continue;
        if (briefly && !*option->letter)
            left_out = true;
        else
            buffer_add_format(out, " [%s%s%s%s]", *option->letter ? "-" : "--",
                              *option->letter ? option->letter : option->name,
                              option->value ? " " : "", option->value ? option->value : "");
    }
    buffer_add_text(out, left_out ? " [OPTION ...]" : "");
}

void help_write_synopsis(struct buffer *out, const struct command *command)
{
    struct buffer whole = {0};

    write_usage(&whole, command, false);
    if (whole.failed)
        buffer_fail(out);
    else if (whole.len > SYNOPSIS)
        write_usage(out, command, true);
    else
        buffer_add(out, whole.bytes, whole.len);
    buffer_fini(&whole);
}

static void write_options(struct buffer *out, const struct command *command)
{
    size_t written = 0;

    for (size_t i = 0; i < COMMAND_OPTION_COUNT; i++) {
        const struct command_option *option = command_option_at(i);

        if (!command_has(command, i))
            continue;
        buffer_add_text(out, written++ == 0 ? "\noptions:\n  " : "  ");
        if (*option->letter)
            buffer_add_format(out, "-%s, ", option->letter);
        buffer_add_format(out, "--%s%s%s\n", option->name, option->value ? " " : "",
                          option->value ? option->value : "");
        encoding_text_wrap(out, INDENT, option->help);
    }
}

void help_write(struct buffer *out, const struct command *command)
{
    buffer_add_text(out, "usage: posencd ");
    help_write_synopsis(out, command);
    buffer_add_text(out, "\n\n");
    encoding_text_wrap(out, 0, command->summary);
    buffer_add_text(out, "\n");
    encoding_text_wrap(out, 0, command->about);
    write_options(out, command);
    if (command->reading == COMMAND_READING_FLAGS) {
        buffer_add_text(out, "\nflags:\n");
        config_help(out);
    }
}

void help_write_all(struct buffer *out)
{
    buffer_add_text(out, "posencd - positional encodings and attention biases over HTTP\n\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct command *command = command_at(i);

        if (command->reading == COMMAND_READING_HIDDEN)
            continue;
        buffer_add_text(out, "  posencd ");
        help_write_synopsis(out, command);
        buffer_add_text(out, "\n");
        encoding_text_wrap(out, INDENT, command->summary);
    }
    buffer_add_text(out, "\nposencd COMMAND --help says more about a command,\n"
                         "posencd compute ENCODING --help about an encoding.\n\nexit codes:\n");
    for (size_t i = 0; i < command_exit_count(); i++)
        buffer_add_format(out, "  %2d  %s\n", command_exit_at(i)->code,
                          command_exit_at(i)->meaning);
}
