/* SPDX-License-Identifier: Apache-2.0
 * test_bucket.c - geometric buckets, where distances are the first of theirs. */
#include <math.h>

#include "core/encoding.h"
#include "core/math/relative/bucket.h"
#include "tests/support/suite.h"

/* Buckets of one direction, the farthest distance and a distance whose logarithm is whole:
 * in doubles, as (count - first) ln(n/first) / ln(max/first), some of them fall short. */
static const struct {
    int64_t count, max_distance, n, bucket;
} ties[] = {
    {10, 160, 10, 6},  {10, 160, 20, 7},  {10, 160, 80, 9},  {20, 320, 20, 12},
    {20, 320, 40, 14}, {16, 800, 80, 12}, {32, 100, 40, 24}, {8, 81, 18, 6},
    {48, 81, 36, 32},  {48, 81, 54, 40},  {16, 128, 16, 10}, {2, 3, 3, 1},
};

START_TEST(the_first_distance_of_a_bucket_is_in_it)
{
    double starts[BUCKET_COUNT_MAX];
    struct bucket bucket;

    bucket_init(&bucket, starts, ties[_i].count, ties[_i].max_distance);
    ck_assert(bucket_of(&bucket, (double)ties[_i].n) == (double)ties[_i].bucket);
    if (ties[_i].bucket > ties[_i].count / 2)
        ck_assert(bucket_of(&bucket, (double)ties[_i].n - 1) == (double)ties[_i].bucket - 1);
}
END_TEST

START_TEST(whole_steps_are_whole_and_others_are_not)
{
    ck_assert(bucket_steps(18, 4, 81, 8) == 4);
    ck_assert(bucket_steps(4, 4, 81, 8) == 0);
    ck_assert(bucket_steps(81, 4, 81, 8) == 8);
    ck_assert(bucket_steps(INT64_C(1) << 40, 1, INT64_C(1) << 50, 5) == 4);
    ck_assert(bucket_steps((INT64_C(1) << 40) - 1, 1, INT64_C(1) << 50, 5) < 4);
    ck_assert(bucket_steps((INT64_C(1) << 40) + 1, 1, INT64_C(1) << 50, 5) > 4);
    ck_assert(bucket_steps(9, 4, 81, 0) == 0);
}
END_TEST

START_TEST(buckets_never_fall_and_end_with_the_last)
{
    double starts[BUCKET_COUNT_MAX], last = 0;
    struct bucket bucket;

    bucket_init(&bucket, starts, BUCKET_COUNT_MAX, INT64_C(1) << 40);
    for (double n = 0; n < 0x1p41; n = n < 5000 ? n + 1 : floor(n * 1.01)) {
        double here = bucket_of(&bucket, n);

        ck_assert(here >= last && here < BUCKET_COUNT_MAX);
        last = here;
    }
    ck_assert(last == BUCKET_COUNT_MAX - 1);
}
END_TEST

SUITE(bucket, TEST_EACH(the_first_distance_of_a_bucket_is_in_it, ties),
      TEST(whole_steps_are_whole_and_others_are_not),
      TEST(buckets_never_fall_and_end_with_the_last));
