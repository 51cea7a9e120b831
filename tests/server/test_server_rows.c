/* SPDX-License-Identifier: Apache-2.0
 * test_server_rows.c - tests the inputs and results that stand in the .txt files beside the
 * tests of the server, and how a row fails (tests/server/support/server_row.h). */
#include <string.h>

#include "tests/server/support/server_row.h"
#include "tests/support/library.h"
#include "tests/support/suite.h"

/* Returns the rows of all files, one for each value, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows split;

    if (split.count == 0) {
        struct rows rows = {.count = 0};

        rows_read(&rows, "tests/server");
        split = server_rows_split(&rows);
        rows_free(&rows);
    }
    return &split;
}

static size_t row_count(void)
{
    return all_rows()->count;
}

START_TEST(each_row_of_the_data_files_holds)
{
    const struct row *row = &all_rows()->at[_i];
    char why[4000];

    if (row->claim && library_is_other(row->claim))
        return;
    ck_assert_msg(server_row_holds(row, why, sizeof why), "%s", why);
}
END_TEST

/* In each text the last value is wrong; its message holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"count 9\n    is: 8\n", "x.txt:2: count 9: is: 9"},
    {"count 9\n    prints: 8\n", "count 9: prints: 9"},
    {"count 9\n    number: 9\n", "count 9: number: (nothing)"},
    {"count 9\n    refused: 9\n", "count 9: refused: (nothing)"},
    {"count x\n    is: must be a whole number; got \"...\"\n", "count x: is: (nothing)"},
    {"count x\n    refused: must be 1..9\n", "refused: must be a whole number; got \"...\""},
    {"count 1 | 2 | 3\n    is: 1 | 2 | 4\n", "x.txt:2: count 3: is: 3"},
    {"count 1 | 2 | 3\n    is: 1 | 2\n", "neither as many results as values, nor one"},
    {"count 1 | 2\n    is: 1\n", "count 2: is: 2"},
    {"addresses [::1]:1\n    count: 1\n", "addresses [::1]:1: count: 2"},
    {"listen [::1]:1\n    refused: IPv6 ::1, port 1\n", "refused: (nothing)"},
    {"listen x\n    is: must be ADDRESS:PORT\n", "listen x: is: (nothing)"},
    {"serve --threads=3\n    refused: 3 (flag)\n", "serve --threads=3: refused: (nothing)"},
    {"serve --threads\n    threads: usage: --threads needs a value\n", "threads: (nothing)"},
    {"target /% | x\n    is: 400 the target must be a path that starts with /\n",
     "target x: is: (nothing)"},
    {"target /\n    refused: /\n", "target /: refused: (nothing)"},
    {"host x\n    valid: x\n", "host x: valid: (nothing)"},
    {"range bytes=0-1\n    bytes: 0+1\n", "range bytes=0-1: bytes: 0+2"},
    {"hosts x\n    is: x\n", "hosts x: is: there is no such function"},
    {"count 9\n", "x.txt:1: the input above has no expectation"},
};

START_TEST(a_wrong_row_fails_with_its_file_and_line)
{
    struct rows rows = {.count = 0}, split;
    char why[4000] = "";

    rows_parse(&rows, "x.txt", wrong[_i].text);
    split = server_rows_split(&rows);
    ck_assert(!server_row_holds(&split.at[split.count - 1], why, sizeof why));
    ck_assert_msg(strncmp(why, "x.txt:", 6) == 0 && strstr(why, wrong[_i].said), "%s", why);
    rows_free(&split);
    rows_free(&rows);
}
END_TEST

SUITE(server_rows, TEST_COUNTED(each_row_of_the_data_files_holds, row_count),
      TEST_EACH(a_wrong_row_fails_with_its_file_and_line, wrong));
