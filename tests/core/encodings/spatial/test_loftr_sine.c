/* SPDX-License-Identifier: Apache-2.0
 * test_loftr_sine.c - columns and rows in turn: laws beyond the rows of loftr_sine.txt. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(maps_are_rows_with_channels_first)
{
    static const char asked[] = "grid=2x3&dim=8&dtype=f64&out=";
    char query[200];
    size_t count, channels;
    double *rows, *map;

    snprintf(query, sizeof query, "%srows", asked);
    rows = core_query_values("loftr-sine", query, "rows", &count);
    snprintf(query, sizeof query, "%smap", asked);
    map = core_query_values("loftr-sine", query, "map", NULL);
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

const struct suite loftr_sine_suite = {SUITE_TESTS(tests)};
