/* SPDX-License-Identifier: Apache-2.0
 * test_rerope.c - ReRoPE and its leaky form: laws beyond the rows of rerope.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(leaking_at_full_speed_is_plain_rope_and_very_slowly_is_rerope)
{
    double *plain, *slow, *rectified;

    plain = core_query_values("leaky-rerope", "len=9&window=3&leaky_k=1", "distance", NULL);
    slow = core_query_values("leaky-rerope", "len=9&window=3&leaky_k=65536", "distance", NULL);
    rectified = core_query_values("rerope", "len=9&window=3", "distance", NULL);
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            ck_assert(plain[9 * i + j] == i - j);
            ck_assert(fabs(slow[9 * i + j] - rectified[9 * i + j]) < 2e-4);
        }
    }
    free(plain);
    free(slow);
    free(rectified);
}
END_TEST

START_TEST(the_second_matrix_has_the_distances_beyond_the_window)
{
    static const char query[] = "q=40&k=3&window=8&leaky_k=4&dtype=f64";
    double *distance = core_query_values("leaky-rerope", query, "distance", NULL);
    double *q =
        core_query_values("leaky-rerope", "q=40&window=8&leaky_k=4&out=q_positions&dtype=f64",
                          "q_positions", NULL);
    double *k = core_query_values("leaky-rerope", "k=3&leaky_k=4&out=k_positions&dtype=f64",
                                  "k_positions", NULL);

    ck_assert(q[0] - k[0] == distance[0]);
    free(distance);
    free(q);
    free(k);
}
END_TEST

SUITE(rerope, TEST(leaking_at_full_speed_is_plain_rope_and_very_slowly_is_rerope),
      TEST(the_second_matrix_has_the_distances_beyond_the_window));
