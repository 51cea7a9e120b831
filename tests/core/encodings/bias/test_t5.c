/* SPDX-License-Identifier: Apache-2.0
 * test_t5.c - T5's buckets: laws beyond the rows of t5.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_future_has_the_buckets_of_the_past_in_the_second_half)
{
    double *past = core_query_values("t5", "q=1:500&k=0", "buckets", NULL);
    double *future = core_query_values("t5", "q=0&k=1:500", "buckets", NULL);

    for (int i = 0; i < 499; i++)
        ck_assert(future[i] == past[i] + 16);
    free(past);
    free(future);
}
END_TEST

START_TEST(scattered_keys_have_the_buckets_of_whole_slices)
{
    double *slice = core_query_values("t5", "q=90:100&k=0:200", "buckets", NULL);
    double *scattered = core_query_values("t5", "q=95&k=7,199,3,100", "buckets", NULL);

    ck_assert(scattered[0] == slice[5 * 200 + 7] && scattered[1] == slice[5 * 200 + 199]);
    ck_assert(scattered[2] == slice[5 * 200 + 3] && scattered[3] == slice[5 * 200 + 100]);
    free(slice);
    free(scattered);
}
END_TEST

SUITE(t5, TEST(the_future_has_the_buckets_of_the_past_in_the_second_half),
      TEST(scattered_keys_have_the_buckets_of_whole_slices));
