/* SPDX-License-Identifier: Apache-2.0
 * test_random.c - the seeded generator: known numbers, distributions, picks. */
#include <math.h>
#include <stdlib.h>

#include "core/math/random.h"
#include "tests/support/suite.h"

START_TEST(bits_are_those_of_the_published_generators)
{
    static const uint64_t known[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
    struct random random = {{1, 2, 3, 4}};

    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(random_next(&random), known[i]);
    random = random_seeded(0);
    ck_assert_uint_eq(random_next(&random), UINT64_C(0x99ec5f36cb75f2b4));
    random = random_seeded(42);
    ck_assert_uint_eq(random_next(&random), UINT64_C(0x15780b2e0c2ec716));
    ck_assert_uint_eq(random_next(&random), UINT64_C(0x6104d9866d113a7e));
}
END_TEST

START_TEST(draws_below_a_count_are_known_and_stay_below)
{
    static const uint64_t known[] = {2, 2, 9, 3, 6, 4, 4, 7};
    static const uint64_t counts[] = {
        1, 2, 3, UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, UINT64_MAX};
    struct random random = random_seeded(42);

    for (size_t i = 0; i < 8; i++)
        ck_assert_uint_eq(random_below(&random, 10), known[i]);
    for (size_t i = 0; i < 6; i++)
        for (int j = 0; j < 100; j++)
            ck_assert_uint_lt(random_below(&random, counts[i]), counts[i]);
}
END_TEST

START_TEST(units_and_normals_are_known)
{
    static const double units[] = {.0838629711, .378980251, .680043411};
    static const double normals[] = {-.303263065, .288461739, 1.34381176, -.687975180};
    struct random random = random_seeded(42);
    double out[4], twice[3];

    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(random_unit(&random), units[i], 5e-10);
    random = random_seeded(42);
    ck_assert(random_normals(&random, 1, out, 4, NULL));
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(out[i], normals[i], 5e-9);
    random = random_seeded(42);
    ck_assert(random_normals(&random, 2, twice, 3, NULL));
    for (size_t i = 0; i < 3; i++)
        ck_assert(twice[i] == 2 * out[i]);
}
END_TEST

START_TEST(normals_have_mean_zero_and_variance_sigma_squared)
{
    enum { COUNT = 20000 };
    static double out[COUNT];
    struct random random = random_seeded(7);
    double sum = 0, squares = 0;

    ck_assert(random_normals(&random, 3, out, COUNT, NULL));
    for (size_t i = 0; i < COUNT; i++) {
        sum += out[i];
        squares += out[i] * out[i];
    }
    ck_assert_double_lt(fabs(sum / COUNT), 5 * 3 / sqrt(COUNT));
    ck_assert_double_lt(fabs(squares / COUNT - 9), 5 * 9 * sqrt(2. / COUNT));
}
END_TEST

START_TEST(picks_are_known_distinct_and_ascending)
{
    static const uint64_t seeds[] = {42, 0};
    static const uint64_t known[2][4] = {{1, 2, 8, 14}, {5, 12, 13, 15}};
    static uint64_t many[5000];
    struct random random;

    for (size_t s = 0; s < 2; s++) {
        random = random_seeded(seeds[s]);
        ck_assert(random_pick(&random, 16, 4, many, NULL));
        for (size_t i = 0; i < 4; i++)
            ck_assert_uint_eq(many[i], known[s][i]);
    }
    ck_assert(random_pick(&random, 5000, 5000, many, NULL));
    for (size_t i = 0; i < 5000; i++)
        ck_assert_uint_eq(many[i], i);
    ck_assert(random_pick(&random, UINT64_MAX, 5000, many, NULL));
    for (size_t i = 1; i < 5000; i++)
        ck_assert_uint_lt(many[i - 1], many[i]);
    ck_assert(random_pick(&random, 3, 0, many, NULL));
}
END_TEST

SUITE(random, TEST(bits_are_those_of_the_published_generators),
      TEST(draws_below_a_count_are_known_and_stay_below), TEST(units_and_normals_are_known),
      TEST(normals_have_mean_zero_and_variance_sigma_squared),
      TEST(picks_are_known_distinct_and_ascending));
