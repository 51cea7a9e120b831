/* SPDX-License-Identifier: Apache-2.0
 * test_token_bucket.c - a bucket gives its rate and no more, and owes what was taken beyond. */
#include "server/quota/token_bucket.h"
#include "tests/support/suite.h"

#define SECOND UINT64_C(1000000000)

/* Asks a thousand times a second for a minute, and returns how often a token was there. */
static unsigned count_taken(double a_second, double capacity)
{
    struct token_bucket bucket = {.tokens = 0};
    unsigned taken = 0;

    for (uint64_t ms = 0; ms < 60000; ms++) {
        token_bucket_fill(&bucket, a_second, capacity, SECOND + ms * 1000000);
        if (token_bucket_wait(&bucket, 1, a_second) > 0)
            continue;
        bucket.tokens -= 1;
        taken++;
    }
    return taken;
}

START_TEST(a_rate_is_given_and_a_burst_at_first)
{
    ck_assert_uint_le(count_taken(5, 5), 60 * 5 + 5);
    ck_assert_uint_ge(count_taken(5, 5), 60 * 5 + 4);
    ck_assert_uint_le(count_taken(100, 2), 60 * 100 + 2);
    ck_assert_uint_ge(count_taken(100, 2), 60 * 100);
}
END_TEST

START_TEST(what_it_owes_is_waited_for)
{
    struct token_bucket bucket = {.tokens = 0};

    token_bucket_fill(&bucket, 10, 10, SECOND);
    ck_assert_double_eq(bucket.tokens, 10);
    bucket.tokens -= 110;
    ck_assert_double_eq_tol(token_bucket_wait(&bucket, 1, 10), 10.1, 1e-9);
    token_bucket_fill(&bucket, 10, 10, 11 * SECOND);
    ck_assert_double_eq_tol(token_bucket_wait(&bucket, 1, 10), 0.1, 1e-9);
    token_bucket_fill(&bucket, 10, 10, 12 * SECOND);
    ck_assert_double_eq(token_bucket_wait(&bucket, 1, 10), 0);
}
END_TEST

START_TEST(a_clock_that_is_read_out_of_order_takes_nothing)
{
    struct token_bucket bucket = {.tokens = 0};

    token_bucket_fill(&bucket, 1, 5, 10 * SECOND);
    bucket.tokens -= 5;
    token_bucket_fill(&bucket, 1, 5, 9 * SECOND);
    ck_assert_double_eq(bucket.tokens, 0);
    token_bucket_fill(&bucket, 1, 5, 11 * SECOND);
    ck_assert_double_eq(bucket.tokens, 1);
}
END_TEST

SUITE(token_bucket, TEST(a_rate_is_given_and_a_burst_at_first),
      TEST(what_it_owes_is_waited_for), TEST(a_clock_that_is_read_out_of_order_takes_nothing));
