/* SPDX-License-Identifier: Apache-2.0
 * test_proto_rows.c - tests the inputs and outputs of proto that stand in the .txt files beside
 * the tests, and how a row fails (tests/proto/support/proto_row.h). */
#include <string.h>

#include "tests/proto/support/proto_row.h"
#include "tests/support/suite.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read(&rows, "tests/proto");
    return &rows;
}

static size_t row_count(void)
{
    return all_rows()->count;
}

START_TEST(each_row_of_the_data_files_holds)
{
    char why[4000];

    ck_assert_msg(proto_row_holds(&all_rows()->at[_i], why, sizeof why), "%s", why);
}
END_TEST

/* Each text has one wrong row; the message of that row holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"config {\"model_type\": \"bloom\", \"n_head\": 8}\n    uses: alibi\n",
     "x.txt:2: config {\"model_type\": \"bloom\", \"n_head\": 8}: uses: alibi?heads=8&"},
    {"config {\"model_type\": \"bloom\", \"n_head\": 8}\n    refused: - n_head\n",
     "refused: nothing"},
    {"config {}\n    uses: rope\n", "uses: - the configuration says nothing of positions"},
    {"config {}\n    needs: rope\n", "no such expectation of this input"},
    {"config {}\n", "x.txt:1: the input above has no expectation"},
};

START_TEST(a_wrong_row_fails_with_its_file_and_line)
{
    struct rows rows = {.count = 0};
    char why[4000] = "";

    rows_parse(&rows, "x.txt", wrong[_i].text);
    ck_assert_uint_eq(rows.count, 1);
    ck_assert(!proto_row_holds(&rows.at[0], why, sizeof why));
    ck_assert_msg(strncmp(why, "x.txt:", 6) == 0 && strstr(why, wrong[_i].said), "%s", why);
    rows_free(&rows);
}
END_TEST

SUITE(proto_rows, TEST_COUNTED(each_row_of_the_data_files_holds, row_count),
      TEST_EACH(a_wrong_row_fails_with_its_file_and_line, wrong));
