/* SPDX-License-Identifier: Apache-2.0
 * test_rope_dialects.c - rope as its ports have it: the attention factor left out, Grok's
 * blend, the least base. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define YARN "dim=16&scaling=yarn&factor=4&original_max_position_embeddings=2048"

START_TEST(an_attention_factor_left_out_leaves_plain_cosines)
{
    size_t count;
    double *with =
               core_query_values("rope", "pos=3:5&" YARN "&dtype=f64&out=cos", "cos", &count),
           *without = core_query_values(
               "rope", "pos=3:5&" YARN "&dtype=f64&out=cos&apply_attention_factor=0", "cos",
               NULL),
           *factor = core_query_values("rope", YARN "&out=attention_factor&dtype=f64",
                                       "attention_factor", NULL);

    ck_assert_uint_eq(count, 16);
    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq_tol(with[i], without[i] * *factor, 1e-15);
    free(with);
    free(without);
    free(factor);
}
END_TEST

/* Grok's frequencies lie between the divided and the plain ones, at equal ratios where
 * YaRN's lie at equal differences. */
START_TEST(grok_blends_ratios_where_yarn_blends_differences)
{
    size_t count;
    double *grok = core_query_values("rope", YARN "&dialect=grok&out=kept&dtype=f64", "kept",
                                     &count),
           *yarn = core_query_values("rope", YARN "&out=kept&dtype=f64", "kept", NULL);

    for (size_t i = 0; i < count; i++) {
        double keep = (yarn[i] - 0.25) / 0.75;

        ck_assert_double_eq_tol(grok[i], pow(4, keep - 1), 1e-15);
    }
    free(grok);
    free(yarn);
}
END_TEST

/* With the least base, the slowest pair's wavelength is the context. */
START_TEST(the_least_base_makes_one_turn_in_the_context)
{
    double *wavelengths =
        core_query_values("rope", "dim=128&base=5974.125660567171&out=wavelengths&dtype=f64",
                          "wavelengths", NULL);

    ck_assert_double_eq_tol(wavelengths[63], 32768, 1e-6);
    free(wavelengths);
}
END_TEST

SUITE(rope_dialects, TEST(an_attention_factor_left_out_leaves_plain_cosines),
      TEST(grok_blends_ratios_where_yarn_blends_differences),
      TEST(the_least_base_makes_one_turn_in_the_context));
