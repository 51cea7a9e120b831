/* SPDX-License-Identifier: Apache-2.0
 * test_temporal_cos.c - worked examples, a law, refusals. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"pos=3&dim=4&dtype=f64", "rows", "-.989992 -.313698 .371148 .731689"},
    {"pos=3&dim=1&dtype=f64", "rows", "-.989992"},
    {"pos=0&dim=3", "rows", "1 1 1"},
};

START_TEST(worked_examples_come_out)
{
    core_query_prints("temporal-cos", known[_i].query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(times_and_their_opposites_look_alike)
{
    size_t count;
    double *rows =
        core_query_values("temporal-cos", "pos=12.5,-12.5&dim=16&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 32);
    for (size_t c = 0; c < 16; c++)
        ck_assert_double_eq(rows[c], rows[16 + c]);
    free(rows);
}
END_TEST

Suite *temporal_cos_suite(void);
Suite *temporal_cos_suite(void)
{
    Suite *suite = suite_create("temporal_cos");
    TCase *tests = tcase_create("temporal_cos");

    tcase_add_loop_test(tests, worked_examples_come_out, 0, (int)PE_LEN(known));
    tcase_add_test(tests, times_and_their_opposites_look_alike);
    suite_add_tcase(suite, tests);
    return suite;
}
