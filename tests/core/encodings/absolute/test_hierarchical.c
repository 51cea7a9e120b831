/* SPDX-License-Identifier: Apache-2.0
 * test_hierarchical.c - a law beyond the rows of hierarchical.txt. The formula itself is
 * tested in tests/core/math/test_hierarchy.c. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

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

static const struct suite_test tests[] = {
    TEST(it_is_what_learned_gives_beyond_its_table),
};

const struct suite hierarchical_suite = {SUITE_TESTS(tests)};
