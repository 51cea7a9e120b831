/* SPDX-License-Identifier: Apache-2.0
 * test_sam_random.c - random directions in an image: laws beyond the rows of sam_random.txt.
 * */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(maps_are_rows_with_channels_first)
{
    static const char asked[] = "g=1,-.5;.5,2&grid=2x3&dtype=f64&out=";
    char query[200];
    size_t count, channels;
    double *rows, *map;

    snprintf(query, sizeof query, "%srows", asked);
    rows = core_query_values("sam-random", query, "rows", &count);
    snprintf(query, sizeof query, "%smap", asked);
    map = core_query_values("sam-random", query, "map", NULL);
    channels = count / 6;
    for (size_t i = 0; i < count; i++)
        ck_assert(map[i] == rows[i % 6 * channels + i / 6]);
    free(rows);
    free(map);
}
END_TEST

static const struct suite_test tests[] = {
    TEST(maps_are_rows_with_channels_first),
};

const struct suite sam_random_suite = {SUITE_TESTS(tests)};
