/* SPDX-License-Identifier: Apache-2.0
 * test_sam_random.c - random directions in an image: worked examples, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"g=1,-.5;.5,2&points=1,2&image_size=4x4", "rows", "0 1 -1 0"},
    {"g=1,-.5;.5,2&points=.5,1.5&image_size=4x4&point_offset=.5", "rows", "0 1 -1 0"},
    {"g=1,-.5;.5,2&grid=1x2", "rows", "0 1 -1 0 0 -1 -1 0"},
    {"g=1,-.5;.5,2&grid=1x2", "map", "0 0 1 -1 -1 -1 0 0"},
    {"g=1;1&points=1.5,3.5&image_size=7x3", "rows", "0 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("sam-random", &known[_i]);
}
END_TEST

static const struct core_twin equal[] = {
    /* cells are points at their centres */
    {"g=1.5,-.7;.3,2&grid=2x3", "sam-random",
     "g=1.5,-.7;.3,2&points=.5,.5;1.5,.5;2.5,.5;.5,1.5;1.5,1.5;2.5,1.5&image_size=2x3", "rows"},
};

START_TEST(what_means_the_same_has_the_same_bits)
{
    core_query_twins("sam-random", &equal[_i]);
}
END_TEST

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

static const struct core_refusal refused[] = {
    {"g=1,2&grid=2x2", PE_CONFLICT, "g", "must have two rows, of x and of y; got 1", ""},
    {"g=1;2", PE_MISSING_PARAMETER, "grid", "is required, or points", ""},
    {"g=1;2&points=1,2", PE_MISSING_PARAMETER, "image_size", "is required with points", ""},
    {"g=1;2&grid=2x2&image_size=2x2", PE_CONFLICT, "image_size", "has no effect", ""},
    {"g=1;2&points=1,2&image_size=2x2&out=rows,map", PE_CONFLICT, "out",
     "cannot be map of points, which are no grid", ""},
    {"g=1;2&grid=2x2&points=1,2&image_size=2x2", PE_CONFLICT, "grid", "together with points",
     ""},
    {"g=1;2&points=1&image_size=2x2", PE_CONFLICT, "points", "must have two columns", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sam-random"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST_EACH(what_means_the_same_has_the_same_bits, equal),
    TEST(maps_are_rows_with_channels_first),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite sam_random_suite = {SUITE_TESTS(tests)};
