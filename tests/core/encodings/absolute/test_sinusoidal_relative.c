/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal_relative.c - worked examples, a law, refusals. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"dim=4&max_relative=2&out=table&dtype=f64&base=1", "table",
     "0 1 0 1 .841471 .540302 .841471 .540302 "
     ".909297 -.416147 .909297 -.416147 .141120 -.989992 "
     ".141120 -.989992 -.756802 -.653644 -.756802 -.653644"},
    {"q=5&k=5&dim=4&max_relative=2&dtype=f64", "vectors", ".909297 -.416147 .0199987 .999800"},
    {"q=5&k=0&dim=4&max_relative=2", "vectors", "0 1 0 1"},
    {"len=4&max_relative=2&out=index", "index", "2 3 4 4 1 2 3 4 0 1 2 3 0 0 1 2"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("sinusoidal-relative", known[_i].query, known[_i].output,
                      known[_i].numbers);
}
END_TEST

START_TEST(a_vector_is_the_row_that_the_index_names)
{
    static const char pairs[] = "q=0:40:3&k=10:30&max_relative=7&dim=16&dtype=f64";
    size_t count;
    double *vectors = core_query_values("sinusoidal-relative", pairs, "vectors", &count),
           *table =
               core_query_values("sinusoidal-relative",
                                 "max_relative=7&dim=16&dtype=f64&out=table", "table", NULL),
           *index =
               core_query_values("sinusoidal-relative",
                                 "q=0:40:3&k=10:30&max_relative=7&out=index", "index", NULL);

    ck_assert_uint_eq(count, (size_t)14 * 20 * 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(vectors[i], table[(size_t)index[i / 16] * 16 + i % 16]);
    free(vectors);
    free(table);
    free(index);
}
END_TEST

static const struct core_refusal refusals[] = {
    {"len=3&dim=4096&max_relative=512", PE_TOO_LARGE, "max_relative",
     "makes a table of (2 max_relative + 1) dim numbers, which must be at most 4194304", ""},
    {"dim=4&q=0:4", PE_MISSING_PARAMETER, "k", "is required, or len: positions of the keys",
     ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sinusoidal-relative"), &refusals[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(a_vector_is_the_row_that_the_index_names),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refusals),
};

const struct suite sinusoidal_relative_suite = {SUITE_TESTS(tests)};
