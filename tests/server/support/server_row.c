/* SPDX-License-Identifier: Apache-2.0
 * server_row.c - see server_row.h. */
#include "tests/server/support/server_row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct server_row_function *const tables[] = {
    server_row_configs, server_row_heads, server_row_evictions, server_row_limits,
    server_row_requests};

static const struct server_row_function *find_function(const char *input, size_t name_len)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct server_row_function *at = tables[i]; at->name; at++)
            if (strlen(at->name) == name_len && memcmp(at->name, input, name_len) == 0)
                return at;
    return NULL;
}

/* ---- rows of several values ------------------------------------------------------------- */

static size_t count_parts(const char *text)
{
    size_t count = 1;

    for (; (text = strstr(text, " | ")); text += 3)
        count++;
    return count;
}

/* Finds the part of the text before, between or after " | ". */
static const char *part_of(const char *text, size_t number, size_t *len)
{
    const char *end;

    for (; number > 0; number--)
        text = strstr(text, " | ") + 3;
    end = strstr(text, " | ");
    *len = end ? (size_t)(end - text) : strlen(text);
    return text;
}

/* Makes the row of one of `values` values. */
static struct row one_value(const struct row *row, size_t number, size_t values)
{
    const size_t name_len = strcspn(row->input, " "), results = count_parts(row->text);
    struct row one = {.file = row->file, .line = row->line, .claim = strdup(row->claim)};
    size_t len, text_len = strlen(row->text);
    const char *value = part_of(row->input + name_len, number, &len), *text = row->text;

    if (values > 1 && results == values)
        text = part_of(row->text, number, &text_len);
    else if (results > 1 && values > 1)
        one.malformed = strdup("there are neither as many results as values, nor one");
    if (asprintf(&one.input, "%.*s%s%.*s", (int)name_len, row->input, number > 0 ? " " : "",
                 (int)len, value) < 0)
        abort();
    one.text = strndup(text, text_len);
    return one;
}

struct rows server_rows_split(const struct rows *rows)
{
    struct rows split = {.count = 0};

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->at[i];
        size_t values = row->malformed ? 1 : count_parts(row->input);

        split.at = realloc(split.at, (split.count + values) * sizeof *split.at);
        if (!split.at)
            abort();
        for (size_t number = 0; number < values; number++)
            split.at[split.count++] = row->malformed
                                          ? (struct row){.file = row->file,
                                                         .line = row->line,
                                                         .malformed = strdup(row->malformed)}
                                          : one_value(row, number, values);
    }
    return split;
}

/* ---- a row of one value ----------------------------------------------------------------- */

static void write_result(struct buffer *out, const struct row *row)
{
    const size_t name_len = strcspn(row->input, " ");
    const struct server_row_function *function = find_function(row->input, name_len);
    char *copy = strdup(row->input), *value = copy + name_len + (copy[name_len] == ' ');
    const size_t len = strlen(value);

    if (len >= 2 && strchr("\"'", value[0]) && value[len - 1] == value[0]) {
        value[len - 1] = '\0';
        value++;
    }
    if (function)
        function->write(out, value, row->claim, function->context);
    if (out->len == 0)
        buffer_add_text(out, function ? "(nothing)" : "there is no such function");
    free(copy);
}

bool server_row_holds(const struct row *row, char *why, size_t size)
{
    struct buffer out = {0};
    bool holds;

    if (row_fault(row)) {
        snprintf(why, size, "%s:%d: %s", row->file, row->line, row_fault(row));
        return false;
    }
    write_result(&out, row);
    holds = !out.failed && strcmp(out.bytes, row->text) == 0;
    if (!holds)
        snprintf(why, size, "%s:%d: %s: %s: %s", row->file, row->line, row->input, row->claim,
                 out.failed ? "no memory" : out.bytes);
    buffer_fini(&out);
    return holds;
}

char *server_row_bytes(const char *text, size_t *len)
{
    static const char letters[] = "rnt0", meant[] = "\r\n\t";
    char *bytes = calloc(1, strlen(text) + 1), *at = bytes;
    unsigned byte;

    if (!bytes)
        abort();
    for (; *text; at++) {
        const char *letter = *text == '\\' && text[1] ? strchr(letters, text[1]) : NULL;
        int used = letter ? 2 : 1;

        *at = letter ? meant[letter - letters] : *text;
        if (sscanf(text, "\\x%2x%n", &byte, &used) == 1 && used == 4)
            *at = (char)byte;
        text += used;
    }
    *len = (size_t)(at - bytes);
    return bytes;
}

char *server_row_step(char **text, const char *separator)
{
    char *step = *text, *end = step ? strstr(step, separator) : NULL;

    *text = end ? end + strlen(separator) : NULL;
    if (end)
        *end = '\0';
    return step;
}
