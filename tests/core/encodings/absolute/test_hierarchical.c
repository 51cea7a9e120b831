/* SPDX-License-Identifier: Apache-2.0
 * test_hierarchical.c - worked examples, a law, refusals. The formula itself is tested in
 * tests/core/math/test_hierarchy.c. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(worked_examples_come_out)
{
    core_query_prints("hierarchical", "table=1,2;3,5&pos=0:4", "rows",
                      "1 2 3 5 2.333333 4 4.333333 7");
    core_query_prints("hierarchical", "table=1,2;3,5&pos=2,3&alpha=0.25&dtype=f64", "rows",
                      "1.66666666666667 3 3.66666666666667 6");
}
END_TEST

START_TEST(it_is_what_learned_gives_beyond_its_table)
{
    static const char query[] = "table=bf16:6x9&pos=0:36&dtype=f64";
    double *mixed = core_query_values("hierarchical", query, "rows", NULL);
    size_t count;
    double *learned = core_query_values(
        "learned", "table=bf16:6x9&pos=0:36&dtype=f64&out_of_range=hierarchical", "rows",
        &count);

    ck_assert_uint_eq(count, 324);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(mixed[i], learned[i]);
    free(mixed);
    free(learned);
}
END_TEST

static const struct core_refusal refused[] = {
    {"table=1,2;3,5&pos=4", PE_OUT_OF_RANGE, "pos",
     "must be 0..3, the square of the table's rows; got 4", ""},
    {"table=1,2;3,5&pos=-1", PE_OUT_OF_RANGE, "pos", "got -1", ""},
    {"table=1,2;3,5&pos=0&alpha=0.5", PE_OUT_OF_RANGE, "alpha", "not 0.5", ""},
    {"table=1,2;3,5&pos=0&alpha=1", PE_OUT_OF_RANGE, "alpha", "between 0 and 1", ""},
    {"table=1,2&pos=0", PE_CONFLICT, "table", "must have 2 axes, rows,dim", ""},
    {"pos=0", PE_MISSING_PARAMETER, "table", "is required", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("hierarchical"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(worked_examples_come_out),
    TEST(it_is_what_learned_gives_beyond_its_table),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite hierarchical_suite = {SUITE_TESTS(tests)};
