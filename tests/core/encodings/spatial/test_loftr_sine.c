/* SPDX-License-Identifier: Apache-2.0
 * test_loftr_sine.c - columns and rows in turn: worked examples, laws, refusals. */
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static const struct core_known known[] = {
    {"grid=1x1&dim=8", "map",
     ".841470985 .540302306 .841470985 .540302306 .00999983333 .999950000 .00999983333 "
     ".999950000"},
    {"grid=1x2&dim=8&bug_compat=1", "rows",
     ".841470985 .540302306 .841470985 .540302306 .134922536 .990856150 .134922536 "
     ".990856150 .909297427 -.416146837 .841470985 .540302306 .267377649 .963591819 "
     ".134922536 .990856150"},
};

START_TEST(worked_examples_come_out)
{
    core_query_known("loftr-sine", &known[_i]);
}
END_TEST

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

static const struct core_refusal refused[] = {
    {"grid=2x2&dim=8&bug_compat=1&base=100", PE_CONFLICT, "base",
     "has no effect with bug_compat", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("loftr-sine"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(worked_examples_come_out, known),
    TEST(maps_are_rows_with_channels_first),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite loftr_sine_suite = {SUITE_TESTS(tests)};
