/* SPDX-License-Identifier: Apache-2.0
 * cli_say.c - see cli_say.h. */
#include "server/cli/cli_say.h"

#include <stdarg.h>
#include <stdio.h>

int cli_fail(int exit_code, const char *format, ...)
{
    va_list args;

    fputs("posencd: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return exit_code;
}

int cli_fail_unknown(const char *what, const char *word, const char *near, const char *where)
{
    return near
               ? cli_fail(CLI_USAGE, "unknown %s \"%.60s\"; did you mean %s?", what, word, near)
               : cli_fail(CLI_USAGE, "unknown %s \"%.60s\"; see %s", what, word, where);
}

int cli_report(const struct pe_errors *errors)
{
    bool memory = false;

    for (size_t i = 0; i < errors->count; i++) {
        const struct pe_problem *at = &errors->at[i];

        memory |= at->status == PE_NO_MEMORY;
        cli_fail(CLI_USAGE, "%s%s%s%s%s%s", at->parameter, *at->parameter ? " " : "",
                 at->detail, *at->hint ? " (" : "", at->hint, *at->hint ? ")" : "");
    }
    if (errors->dropped)
        cli_fail(CLI_USAGE, "and %zu more", errors->dropped);
    if (errors->count == 0)
        return cli_fail(CLI_INTERNAL, "out of memory");
    return memory ? CLI_INTERNAL : CLI_USAGE;
}

int cli_print(struct buffer *text)
{
    bool ok = !text->failed && fwrite(text->bytes, 1, text->len, stdout) == text->len &&
              fflush(stdout) == 0;

    buffer_fini(text);
    return ok ? 0 : cli_fail(CLI_INTERNAL, "cannot write the output");
}
