/* SPDX-License-Identifier: Apache-2.0
 * test_recursive.c - codes from codes: laws beyond the rows of recursive.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(blocks_of_the_ladder_are_sinusoids_cosine_first)
{
    size_t count;
    double *rows = core_query_values("recursive", "len=500&p0=1,0,1,0&angles=1,0.01&dtype=f64",
                                     "rows", &count);
    double *waves =
        core_query_values("sinusoidal", "pos=0:500&dim=4&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 2000);
    for (size_t i = 0; i < count; i++) /* a step errs by 2^-52 */
        ck_assert_double_le(fabs(rows[i] - waves[i ^ 1]), 500 * 0x1p-52);
    free(rows);
    free(waves);
}
END_TEST

START_TEST(codes_vanish_to_zero)
{
    size_t count;
    double *rows =
        core_query_values("recursive", "len=1500&p0=1&diagonal=0.6&dtype=f64", "rows", &count);

    ck_assert_uint_eq(count, 1500);
    for (size_t i = 0; i < 1387; i++) /* 0.6^1386 is the last power above 2^-1022 */
        ck_assert_double_le(fabs(rows[i] / pow(0.6, (double)i) - 1), 1500 * 0x1p-52);
    for (size_t i = 1387; i < count; i++)
        ck_assert_double_eq(rows[i], 0);
    free(rows);
}
END_TEST

SUITE(recursive, TEST(blocks_of_the_ladder_are_sinusoids_cosine_first),
      TEST(codes_vanish_to_zero));
