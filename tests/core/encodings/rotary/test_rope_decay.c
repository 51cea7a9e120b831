/* SPDX-License-Identifier: Apache-2.0
 * test_rope_decay.c - what distance does to scores is what the rotations themselves give. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define DISTANCES "0,1,-1,0.5,777,1000003"
enum { DISTANCE_COUNT = 6 };

static const char *const variants[] = {
    "dim=2",
    "dim=16&base=500000",
    "dim=1026&rotary_dim=1024", /* more pairs than are held at a time */
    "dim=64&scaling=yarn&factor=4&original_max_position_embeddings=2048&attention_factor=1",
    "dim=64&profile=f32-pow",
    "dim=1024&profile=f32-acc",
    "dim=64&profile=f64",
};

/* The rows of cosines and sines are summed by the definition. */
START_TEST(decay_is_the_mean_size_of_sums_of_rotations)
{
    char query[300];
    double *decay, *similarity, *cosine, *sine;
    size_t count, pairs;

    snprintf(query, sizeof query, "%s&pos=" DISTANCES "&dtype=f64", variants[_i]);
    cosine = core_query_values("rope", query, "cos", &count);
    sine = core_query_values("rope", query, "sin", NULL);
    pairs = count / DISTANCE_COUNT;
    snprintf(query, sizeof query, "%s&distance=" DISTANCES "&out=decay,similarity&dtype=f64",
             variants[_i]);
    decay = core_query_values("rope", query, "decay", &count);
    similarity = core_query_values("rope", query, "similarity", NULL);
    ck_assert_uint_eq(count, DISTANCE_COUNT);
    for (size_t k = 0; k < DISTANCE_COUNT; k++) {
        long double x = 0, y = 0, sizes = 0, m = (long double)pairs;

        for (size_t i = 0; i < pairs; i++) {
            x += (long double)cosine[k * pairs + i];
            y += (long double)sine[k * pairs + i];
            sizes += sqrtl(x * x + y * y);
        }
        ck_assert_double_eq_tol(decay[k], (double)(sizes / m),
                                0x1p-50 * ((double)pairs + 1) / 2);
        ck_assert_double_eq_tol(similarity[k], (double)(x / m), 0x1p-51);
    }
    free(cosine);
    free(sine);
    free(decay);
    free(similarity);
}
END_TEST

START_TEST(decay_is_even_in_the_distance_and_leaves_out_the_attention_factor)
{
    static const char yarn[] = "dim=64&scaling=yarn&factor=4"
                               "&original_max_position_embeddings=2048&dtype=f64";
    static const char *const ends[] = {"&distance=3,0.5,9e15&out=decay",
                                       "&distance=-3,-0.5,-9e15&out=decay",
                                       "&distance=3,0.5,9e15&out=decay&attention_factor=1"};
    double *decay[3];
    char query[300];

    for (size_t k = 0; k < 3; k++) {
        snprintf(query, sizeof query, "%s%s", yarn, ends[k]);
        decay[k] = core_query_values("rope", query, "decay", NULL);
    }
    for (size_t i = 0; i < 3; i++) {
        ck_assert(decay[0][i] == decay[1][i]);
        ck_assert(decay[0][i] == decay[2][i]);
    }
    for (size_t k = 0; k < 3; k++)
        free(decay[k]);
}
END_TEST

SUITE(rope_decay, TEST_EACH(decay_is_the_mean_size_of_sums_of_rotations, variants),
      TEST(decay_is_even_in_the_distance_and_leaves_out_the_attention_factor));
