/* SPDX-License-Identifier: Apache-2.0
 * test_properties.c - laws beyond the rows of properties.txt. What holds for every encoding is
 * tested by the loops over the registry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Returns the one number of an output. */
static double ask(const char *query, const char *output)
{
    char whole[200];
    size_t count;
    double *values, value;

    snprintf(whole, sizeof whole, "%s&out=%s&dtype=f64", query, output);
    values = core_query_values("properties", whole, output, &count);
    ck_assert_uint_eq(count, 1);
    value = values[0];
    free(values);
    return value;
}

START_TEST(the_closest_is_told)
{
    static const struct {
        const char *query;
        double k;
    } cases[] = {{"dim=2&len=2", 1},        {"dim=2&len=8", 6},
                 {"dim=2&len=45", 44},      {"dim=4&len=50", 19},
                 {"dim=512&len=8", 1},      {"dim=6&base=3&len=400", 327},
                 {"dim=8&base=1&len=8", 6}, {"dim=2&len=65536", 710}};

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        char query[100];
        double *k;

        snprintf(query, sizeof query, "%s&out=closest", cases[i].query);
        k = core_query_values("properties", query, "closest", NULL);
        ck_assert_double_eq(*k, cases[i].k);
        free(k);
    }
}
END_TEST

/* Adding rows never raises the smallest distance. */
START_TEST(the_smallest_distance_does_not_grow_with_the_length)
{
    double before = INFINITY;

    for (int length = 2; length < 200; length++) {
        char query[64];
        double now;

        snprintf(query, sizeof query, "dim=4&base=100&len=%d", length);
        now = ask(query, "min_distance");
        ck_assert_double_le(now, before);
        before = now;
    }
    ck_assert_double_gt(before, 0);
}
END_TEST

SUITE(properties, TEST(the_closest_is_told),
      TEST(the_smallest_distance_does_not_grow_with_the_length));
