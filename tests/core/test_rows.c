/* SPDX-License-Identifier: Apache-2.0
 * test_rows.c - the worked examples, refusals and equalities that stand in the .txt files below
 * tests/core, and how a row fails (tests/support/core_row.h, tests/core/support/text_row.h). */
#include <string.h>

#include "core/posenc.h"
#include "tests/core/support/text_row.h"
#include "tests/support/core_row.h"
#include "tests/support/suite.h"

/* Returns the rows of all files, which are read once and kept. */
static const struct rows *all_rows(void)
{
    static struct rows rows;

    if (rows.count == 0)
        rows_read(&rows, "tests/core");
    return &rows;
}

static size_t row_count(void)
{
    return all_rows()->count;
}

static bool holds(const struct row *row, char *why, size_t size)
{
    return text_row_serves(row) ? text_row_holds(row, why, size)
                                : core_row_holds(row, why, size);
}

START_TEST(each_row_of_the_data_files_holds)
{
    char why[1000];

    ck_assert_msg(holds(&all_rows()->at[_i], why, sizeof why), "%s", why);
}
END_TEST

START_TEST(each_encoding_has_a_worked_example)
{
    const char *name = pe_name(pe_at((size_t)_i));
    const struct rows *rows = all_rows();
    size_t len = strlen(name), found = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->at[i];

        found += row->input && strncmp(row->input, name, len) == 0 && row->input[len] == '?' &&
                 strncmp(row->claim, "refused ", 8) != 0;
    }
    ck_assert_msg(found > 0, "no row of tests/core says what %s?... answers", name);
}
END_TEST

/* Each text has one wrong row; the message of that row holds the other string. */
static const struct {
    const char *text, *said;
} wrong[] = {
    {"alibi?heads=1&out=slopes\n    slopes: .5\n",
     "x.txt:2: alibi?heads=1&out=slopes: slopes: number 0 is 0.00390625, expected .5"},
    {"# one\n\nalibi?heads=2&out=slopes&dtype=f64\n    slopes: .0625\n        .00390626\n",
     "x.txt:4: alibi?heads=2&out=slopes&dtype=f64: slopes: number 1 is 0.00390625, expected "
     ".00390626"},
    {"alibi?heads=2&out=slopes\n    slopes: .0625\n", "2 numbers, expected 1"},
    {"alibi?heads=1&out=slopes\n    slopes: .00390625 1\n", "1 numbers, expected more at"},
    {"alibi?heads=1&out=slopes\n    slopes: none\n", "expected more at \"none\""},
    {"alibi?heads=1&out=slopes\n    bias: 1\n", "has no output bias"},
    {"alibi?heads=1&out=slopes\n    slopes differ: 1\n",
     "\"slopes differ:\" is no expectation"},
    {"alibi?heads=x\n    slopes: 1\n", "is refused: heads must be"},
    {"alibis?heads=1\n    slopes: 1\n", "there is no encoding of the request alibis?heads=1"},
    {"causal-mask?len=2\n    mask digits: 10 10\n", "mask is 10 11, expected 10 10"},
    {"causal-mask?len=2\n    mask equals: causal-mask?len=3\n", "mask has 4 numbers, "},
    {"alibi?heads=1&out=slopes\n    slopes equals: alibi?heads=1&out=slopes&bias_max=4\n",
     "number 0 is 0.00390625, that of alibi?heads=1&out=slopes&bias_max=4 is 0.0625"},
    {"sinusoidal?pos=1&dim=2\n    rows equals: cos of rope?pos=1&dim=4\n",
     "number 0 is 0.8414709"},
    {"shaw?len=2&max_distance=1\n    index transposes: shaw?len=2&max_distance=1\n",
     "index: number 1 is"},
    {"rope?pos=.1&dim=2\n    cos equals in all dtypes: rope?pos=.1000001&dim=2\n",
     "that of rope?pos=.1000001&dim=2&dtype=f64 is"},
    {"kerple?len=2&a=1&p=1\n    bias has the diagonals of: "
     "toeplitz of kerple?len=2&a=1&p=2&out=toeplitz\n",
     "bias: number 1 is"},
    {"kerple?len=2&a=1&p=1\n    bias has the diagonals of: "
     "toeplitz of kerple?len=3&a=1&p=1&out=toeplitz\n",
     "bias has not the shape of those diagonals"},
    {"integer?len=3\n    rows begins: integer?len=4\n",
     "rows has 3 numbers, the other output 4"},
    {"integer?len=3\n    rows begins: integer?len=2&start=1\n",
     "number 0 is 0, that of integer"},
    {"integer?len=2\n    rows adds up: 2 with integer?len=2&start=2\n",
     "rows: number 1: number 0 is 4, expected 2"},
    {"integer?len=2\n    rows adds up: integer?len=2\n", "NUMBER with OTHER"},
    {"integer?len=2&start=2\n    rows is a multiple: 2 with integer?len=2&start=1\n",
     "rows: number 1: number 0 is 1.5, expected 2"},
    {"integer?len=2&start=2&step=-1\n    rows is: rising\n",
     "rows is not rising: number 1 is 1"},
    {"integer?len=2&step=-1\n    rows is: never falling\n", "rows is not never falling: "},
    {"integer?len=2\n    rows is: rising, odd\n", "rows is not odd: number 0 is 0"},
    {"integer?len=2\n    rows is: even\n", "rows is not even: number 0 is 0"},
    {"integer?len=2\n    rows is: green\n", "\"green\" is no law"},
    {"integer?len=1\n    rows is: rising\n", "rows has too few numbers for a law"},
    {"integer?len=2\n    rows is within: 0 .5\n", "rows: number 1 is 1"},
    {"integer?len=2\n    rows is within: 0\n", "LOW HIGH"},
    {"integer?len=0\n    rows is within: 0 1\n", "rows has no number"},
    {"alibi?heads=1&len=2\n    refused conflict: heads is\n", "is not refused"},
    {"alibi?heads=0&len=2\n    refused conflict: heads must be\n",
     "1 problems, the first: refused out-of-range: heads must be"},
    {"alibi?heads=0&len=2\n    refused out-of-range: len must be\n", "heads must be"},
    {"alibi?heads=0&len=2\n    refused out-of-range: heads must not be\n", "heads must be"},
    {"alibi?heads=0&len=2\n    refused out-of-range: heads must be\n    hint: 1\n",
     "heads must be"},
    {"alibi?heads=0&len=-1\n    refused out-of-range: heads must be\n", "2 problems"},
    {"nope?pos=0&dim=2\n    canonical: pos=1\n", "the canonical form is"},
    {"nope?pos=0&dim=2\n    canonical has: pos=1\n", "the canonical form is"},
    {"nope?pos=0&dim=2\n    canonical lacks: out=\n", "the canonical form is"},
    {"alibi?heads=1&len=2\n    canonical equals: alibi?heads=2&len=2\n",
     "the canonical form is"},
    {"sinusoidal?pos=0&dim=8\n    fact pairs: 5\n", "fact pairs: number 0 is 4, expected 5"},
    {"sinusoidal?pos=0&dim=8\n    fact couples: 5\n", "fact couples: none"},
    {"sinusoidal?pos=0&dim=8\n    fact pairs: none\n", "fact pairs: "},
    {"alibi?heads=1&len=2\n    fact applies: before_scale\n", "fact applies: after_scale"},
    {"alibi?heads=1&len=2\n    warning: factor\n", "0 warnings, the first: none"},
    {"xpos?pos=40000&dim=8\n    warning: none\n", "1 warnings, the first: "},
    {"alibi?heads=1\nnope?pos=0\n    rows: 0\n", "x.txt:2: the input above has no expectation"},
    {"alibi?heads=1", "the input above has no expectation"},
    {"alibi heads=1\n    slopes: 1\n", "a request is ENCODING?QUERY, without blanks"},
    {"alibi\n    slopes: 1\n", "a request is ENCODING?QUERY, without blanks"},
    {"    slopes: 1\n", "x.txt:1: an expectation stands below an input"},
    {"alibi?heads=1\n    slopes 1\n", "an expectation has a colon"},
    {"alibi?heads=1\n  slopes: 1\n", "a line begins with no blank, four or eight"},
    {"alibi?heads=1\n\tslopes: 1\n", "a line begins with no blank, four or eight"},
    {"number 1e3 => 100\n", "x.txt:1: number 1e3: 1000"},
    {"positions 0:4\n    count: 4 from 0 to 4\n", "positions 0:4: count: 4 from 0 to 3"},
    {"positions x\n    refused out-of-range: x\n", "positions x: refused bad-value: "},
    {"positions x\n    refused bad-value: zz\n", "cannot read \"x\""},
    {"twice x\n    refused bad-value: cannot read \"x\"\n",
     "x.txt:2: twice x: 2 problems, the first of list: refused bad-value: must be"},
    {"positions +1\n    refused bad-value: +1\n", "| without the +"},
    {"        .5\n", "eight blanks continue a line, and there is none to continue"},
    {"alibi?heads=1\n    hint: 1\n", "a hint stands below a refusal"},
};

START_TEST(a_wrong_row_fails_with_its_file_and_line)
{
    struct rows rows = {.count = 0};
    size_t failed = 0;
    char why[1000];

    rows_parse(&rows, "x.txt", wrong[_i].text);
    for (size_t i = 0; i < rows.count && failed == 0; i++)
        failed += !holds(&rows.at[i], why, sizeof why);
    ck_assert_msg(failed == 1, "%s: nothing failed", wrong[_i].text);
    ck_assert_msg(strncmp(why, "x.txt:", 6) == 0 && strstr(why, wrong[_i].said), "%s", why);
    rows_free(&rows);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_COUNTED(each_row_of_the_data_files_holds, row_count),
    TEST_COUNTED(each_encoding_has_a_worked_example, pe_count),
    TEST_EACH(a_wrong_row_fails_with_its_file_and_line, wrong),
};

const struct suite rows_suite = {SUITE_TESTS(tests), .timeout = 60};
