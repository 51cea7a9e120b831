/* SPDX-License-Identifier: Apache-2.0
 * test_properties.c - worked examples, laws, refusals. What holds for every encoding is tested
 * by the loops over the registry. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* What an output is, one double. */
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

static void prints(const char *query, const char *output, const char *number)
{
    char whole[200];

    snprintf(whole, sizeof whole, "%s&out=%s&dtype=f64", query, output);
    core_query_prints("properties", whole, output, number);
}

/* By mpmath at 240 bits. One pair: 2 sin(k / 2) is smallest near whole turns: 6, 44. */
START_TEST(worked_examples_come_out)
{
    prints("dim=2&length=2", "min_distance", "0.958851077208406");
    prints("dim=2&length=8", "min_distance", "0.282240016119734");
    prints("dim=2&length=65536", "min_distance", "6.02887067189769e-5");
    prints("dim=4&length=50", "min_distance", "0.242037793313608");
    prints("dim=512&length=8", "min_distance", "3.71427036512880");
    prints("dim=6&base=3&length=400", "min_distance", "0.607840409482863");
    prints("dim=512", "row_norm", "16");
    prints("dim=2", "row_norm", "1");
    prints("dim=2", "slowest_period", "6.28318530717959");
    prints("dim=8", "slowest_period", "6283.18530717959");
    prints("dim=512", "slowest_period", "60611.4771662611");
}
END_TEST

START_TEST(the_closest_is_told)
{
    static const struct {
        const char *query;
        double k;
    } cases[] = {{"dim=2&length=2", 1},        {"dim=2&length=8", 6},
                 {"dim=2&length=45", 44},      {"dim=4&length=50", 19},
                 {"dim=512&length=8", 1},      {"dim=6&base=3&length=400", 327},
                 {"dim=8&base=1&length=8", 6}, {"dim=2&length=65536", 710}};

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

/* More rows are never further apart. */
START_TEST(the_smallest_distance_does_not_grow_with_the_length)
{
    double before = INFINITY;

    for (int length = 2; length < 200; length++) {
        char query[64];
        double now;

        snprintf(query, sizeof query, "dim=4&base=100&length=%d", length);
        now = ask(query, "min_distance");
        ck_assert_double_le(now, before);
        before = now;
    }
    ck_assert_double_gt(before, 0);
}
END_TEST

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    static const struct core_refusal refusals[] = {
        {"dim=8192&length=4097", PE_TOO_LARGE, "length",
         "must keep length * dim / 2 within 16777216; got 16781312", ""},
        {"dim=7&length=16", PE_OUT_OF_RANGE, "dim", "must be an even number, 2..8192; got 7",
         ""},
        {"dim=8&length=1", PE_OUT_OF_RANGE, "length", "must be a whole number, 2..65536; got 1",
         ""},
    };
    const struct pe_encoding *enc = core_query_find("properties");

    for (size_t i = 0; i < PE_LEN(refusals); i++)
        core_query_refused(enc, &refusals[i]);
    pe_args_free(core_query_checked(enc, "dim=8192&length=4096"));
}
END_TEST

/* Only the sums need a length. */
START_TEST(the_norm_asks_for_no_length)
{
    pe_args_free(core_query_checked(core_query_find("properties"),
                                    "dim=8192&out=row_norm,slowest_period"));
}
END_TEST

static const struct suite_test tests[] = {
    TEST(worked_examples_come_out),
    TEST(the_closest_is_told),
    TEST(the_smallest_distance_does_not_grow_with_the_length),
    TEST(wrong_requests_are_told_what_would_be_right),
    TEST(the_norm_asks_for_no_length),
};

const struct suite properties_suite = {SUITE_TESTS(tests)};
