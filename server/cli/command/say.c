/* SPDX-License-Identifier: Apache-2.0
 * say.c - see say.h. */
#include "server/cli/command/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proto/text/json_layout.h"
#include "server/cli/command/printable.h"
#include "server/cli/command/terminal.h"

enum { LINE_SIZE = 4096 }; /* a longer error is cut */

int say_error(int exit_code, const char *format, ...)
{
    struct buffer line = {0};
    char text[LINE_SIZE];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    printable_add_name(&line, text);
    fprintf(stderr, "posencd: %s\n",
            line.failed || line.len == 0 ? "out of memory" : line.bytes);
    buffer_fini(&line);
    return exit_code;
}

int say_lines(int exit_code, const char *text)
{
    for (size_t len; *text; text += len + (text[len] == '\n')) {
        len = strcspn(text, "\n");
        say_error(exit_code, "%.*s", (int)len, text);
    }
    return exit_code;
}

int say_unknown(const char *what, const char *word, const char *near, const char *where)
{
    return near ? say_error(CLI_USAGE, "unknown %s \"%.60s\"; did you mean %s?", what, word,
                            near)
                : say_error(CLI_USAGE, "unknown %s \"%.60s\"; see %s", what, word, where);
}

int say_problems(const struct pe_errors *errors)
{
    bool memory = false;

    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *at = &errors->at[i];

        memory |= at->status == PE_NO_MEMORY;
        say_error(CLI_USAGE, "%s%s%s%s%s%s", at->parameter, *at->parameter ? " " : "",
                  at->detail, *at->hint ? " (" : "", at->hint, *at->hint ? ")" : "");
    }
    if (errors->dropped)
        say_error(CLI_USAGE, "and %zu more", errors->dropped);
    if (errors->count == 0)
        return say_error(CLI_INTERNAL, "out of memory");
    return memory ? CLI_INTERNAL : CLI_USAGE;
}

int say_coloured(struct buffer *text)
{
    bool ok = !text->failed && fwrite(text->bytes, 1, text->len, stdout) == text->len &&
              fflush(stdout) == 0;

    buffer_fini(text);
    return ok ? 0 : say_error(CLI_INTERNAL, "cannot write the output");
}

int say_text(struct buffer *text)
{
    struct buffer out = {.failed = text->failed};

    if (!text->failed)
        printable_add(&out, text->bytes, text->len);
    buffer_fini(text);
    return say_coloured(&out);
}

int say_json(struct buffer *text)
{
    struct json_layout layout = {0};
    struct buffer lines = {.failed = text->failed};

    if (!terminal_is_output())
        return say_text(text);
    if (!text->failed)
        json_layout_add(&layout, &lines, text->bytes, text->len);
    buffer_fini(text);
    return say_text(&lines);
}
