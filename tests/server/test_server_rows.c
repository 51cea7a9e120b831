/* SPDX-License-Identifier: Apache-2.0
 * test_server_rows.c - tests the inputs and results that stand in the .txt files beside the
 * tests of the server (tests/server/support/server_row.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/server/support/server_row.h"
#include "tests/support/row.h"
#include "tests/support/suite.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read(&rows, "tests/server");
    return &rows;
}

static size_t row_count(void)
{
    return all_rows()->count;
}

static const struct server_row_function *find_function(const char *input, size_t name_len)
{
    static const struct server_row_function *const tables[] = {server_row_configs,
                                                               server_row_heads};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct server_row_function *at = tables[i]; at->name; at++)
            if (strlen(at->name) == name_len && memcmp(at->name, input, name_len) == 0)
                return at;
    return NULL;
}

/* Cuts the first value off the text; returns NULL after the last one. */
static char *next_value(char **text)
{
    char *value = *text, *end = value ? strstr(value, " | ") : NULL;
    size_t len;

    if (!value)
        return NULL;
    *text = end ? end + 3 : NULL;
    if (end)
        *end = '\0';
    len = strlen(value);
    if (len < 2 || value[0] != '"' || value[len - 1] != '"')
        return value;
    value[len - 1] = '\0';
    return value + 1;
}

/* Writes the results of all values, or the one result that they have in common. */
static void write_results(struct buffer *out, const struct row *row)
{
    size_t name_len = strcspn(row->input, " ");
    const struct server_row_function *function = find_function(row->input, name_len);
    char *copy = strdup(row->input), *text = copy + name_len + (copy[name_len] == ' ');
    size_t first_len = 0;
    bool equal = true;

    for (char *value; function && (value = next_value(&text));) {
        size_t start = out->len;

        if (start > 0)
            buffer_add_text(out, " | ");
        function->write(out, value, row->claim, function->context);
        if (start == 0)
            first_len = out->len;
        else
            equal &= out->len - start - 3 == first_len &&
                     memcmp(out->bytes, out->bytes + start + 3, first_len) == 0;
    }
    if (equal && first_len > 0)
        out->bytes[first_len] = '\0';
    else if (!function || out->len == 0)
        buffer_add_text(out, "there is no such function or claim");
    free(copy);
}

START_TEST(each_row_of_the_data_files_holds)
{
    const struct row *row = &all_rows()->at[_i];
    struct buffer out = {0};

    ck_assert_msg(!row->malformed, "%s:%d: %s", row->file, row->line, row->malformed);
    write_results(&out, row);
    ck_assert_msg(strcmp(out.bytes, row->text) == 0, "%s:%d: %s: %s: %s", row->file, row->line,
                  row->input, row->claim, out.bytes);
    buffer_fini(&out);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(each_row_of_the_data_files_holds, row_count),
};

const struct suite server_rows_suite = {SUITE_TESTS(tests)};
