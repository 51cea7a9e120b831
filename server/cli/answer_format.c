/* SPDX-License-Identifier: Apache-2.0
 * answer_format.c - see answer_format.h. */
#include "server/cli/answer_format.h"

#include <stdio.h>
#include <string.h>

#include "server/cli/command/say.h"
#include "server/cli/command/terminal.h"

static bool is_output(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

/* "npy" of "a/b.npy"; "" if the last part of the path has no suffix. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot != name ? dot + 1 : "";
}

/* Returns whether the suffix that names one format suits another: a card is a png too. */
static bool is_suffix_of(const struct format *named, const struct format *format)
{
    return named == format || strcmp(named->extension, format->extension) == 0;
}

static bool refuse_suffix(const char *path)
{
    struct buffer known = {0};

    format_write_suffixes(&known);
    if (known.failed)
        say_error(CLI_INTERNAL, "out of memory");
    else
        say_error(CLI_USAGE,
                  "-o %.200s: the suffix of FILE says the format and must be one of %.*s; for "
                  "another name give format=",
                  path, (int)known.len, known.bytes);
    buffer_fini(&known);
    return false;
}

/* Refuses a file whose suffix is that of another format; `given` says where the format is
 * from. */
static bool refuse_other(const char *path, const struct format *named,
                         const struct format *format, const char *given, const char *instead)
{
    say_error(CLI_USAGE,
              "-o %.200s: the suffix says format=%s, but %s; %slet the file's name end in .%s",
              path, named->name, given, instead, format->extension);
    return false;
}

bool answer_format_fits(const struct format *format, const char *path)
{
    const struct format *named = is_output(path) ? NULL : format_find_suffix(suffix_of(path));
    char given[64];

    if (!named || is_suffix_of(named, format))
        return true;
    snprintf(given, sizeof given, "the answer is %s", format->name);
    return refuse_other(path, named, format, given, "");
}

bool answer_format_set(struct request *request, const char *path, struct pe_errors *errors)
{
    const struct option_values *values = &request_options(request)->values;
    const bool is_given = values->given[OPTION_FORMAT];

    if (is_output(path))
        return true;
    const struct format *named = format_find_suffix(suffix_of(path));
    const struct format *given =
        is_given ? format_at((size_t)values->value[OPTION_FORMAT]) : NULL;
    for (size_t i = 0; is_given && i < errors->count; i++)
        if (strcmp(errors->at[i].parameter, option_at(OPTION_FORMAT)->param.name) == 0)
            return true; /* format= has a problem of its own */
    if (!named && !given)
        return refuse_suffix(path);
    if (named && given && !is_suffix_of(named, given)) {
        char text[64];

        snprintf(text, sizeof text, "format=%s is given", given->name);
        return refuse_other(path, named, given, text, "leave format= out, or ");
    }
    if (!given)
        (void)request_set_text(request, "format", 6, named->name, strlen(named->name), errors);
    return true;
}

bool answer_format_suits(const struct format *format, const char *path)
{
    if (!is_output(path) || format->readable || !terminal_is_output())
        return true;
    say_error(CLI_USAGE,
              "format=%s is binary and is not written to a terminal; write -o FILE.%s, or "
              "| PROGRAM",
              format->name, format->extension);
    return false;
}
