/* SPDX-License-Identifier: Apache-2.0
 * test_xpos.c - xPos tables: laws beyond the rows of xpos.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(queries_and_keys_together_decay_with_their_distance_alone)
{
    double *q = core_query_values("xpos", "pos=7,107&dim=8&out=scale&dtype=f64", "scale", NULL);
    double *k = core_query_values("xpos", "pos=3,103&dim=8&out=scale&dtype=f64&downscale=1",
                                  "scale", NULL);
    double *apart = core_query_values("xpos", "pos=4&dim=8&out=scale&dtype=f64", "scale", NULL);

    for (size_t j = 0; j < 4; j++) {
        ck_assert(fabs(q[j] * k[j] - apart[j]) < 1e-15);
        ck_assert(fabs(q[4 + j] * k[4 + j] - apart[j]) < 1e-15);
    }
    free(q);
    free(k);
    free(apart);
}
END_TEST

START_TEST(tables_are_those_of_rope_times_the_scale)
{
    double *cos = core_query_values("xpos", "pos=3:9&dim=8&dtype=f64", "cos", NULL);
    double *sin = core_query_values("xpos", "pos=3:9&dim=8&dtype=f64", "sin", NULL);
    double *scale =
        core_query_values("xpos", "pos=3:9&dim=8&dtype=f64&out=scale", "scale", NULL);
    double *plain = core_query_values("rope", "pos=3:9&dim=8&dtype=f64", "cos", NULL);

    for (size_t i = 0; i < 24; i++) {
        ck_assert(fabs(cos[i] - plain[i] * scale[i]) < 1e-15);
        ck_assert(fabs(cos[i] * cos[i] + sin[i] * sin[i] - scale[i] * scale[i]) < 1e-15);
    }
    free(cos);
    free(sin);
    free(scale);
    free(plain);
}
END_TEST

SUITE(xpos, TEST(queries_and_keys_together_decay_with_their_distance_alone),
      TEST(tables_are_those_of_rope_times_the_scale));
