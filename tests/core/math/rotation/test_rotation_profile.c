/* SPDX-License-Identifier: Apache-2.0
 * test_rotation_profile.c - the frameworks' roundings, against each profile written out again
 * here in float and double operations; angles beyond float32; what a fill costs. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { PAIRS = 48, ROWS = 6 };
#define POSITIONS "0,1,-7,4095,131071,1000000"
static const float positions[ROWS] = {0, 1, -7, 4095, 131071, 1000000};

/* ---- one angle by each profile ------------------------------------------------------- */

/* Rounding the double's power to float is right unless it falls between two floats. */
static float power(float base, float exponent)
{
    return (float)pow((double)base, (double)exponent);
}

static float by_pow(float position, unsigned i)
{
    float w = 1.0F / power(500000, (float)(2 * i) / 96.0F);

    return position * w;
}

static float by_exp(float position, unsigned i)
{
    float step = (float)(-log(500000) / 96), exponent = (float)(2 * i) * step;

    return position * (float)exp((double)exponent);
}

static float by_division(float position, unsigned i)
{
    return position / power(500000, (float)(2 * i) / 96.0F);
}

static float by_chain(float position, unsigned i)
{
    float ratio = power(500000, -2.0F / 96.0F), angle = position;

    while (i-- > 0)
        angle *= ratio;
    return angle;
}

/* ggml's rope_yarn: range 16..29 for these numbers, freq_scale 1/8. */
static float by_ggml(float position, unsigned i)
{
    float whole = by_chain(position, i), interpolated = 0.125F * whole;
    float ramp = ((float)i - 16) / 13.0F, mix = 1.0F - fminf(1, fmaxf(0, ramp));
    float first = interpolated * (1.0F - mix), second = whole * mix;

    return first + second;
}

static const struct profile {
    const char *query;
    float (*angle)(float position, unsigned i);
    float factor;
} profiles[] = {
    {"profile=f32-pow", by_pow, 1},
    {"profile=f32-exp", by_exp, 1},
    {"profile=f32-div", by_division, 1},
    {"profile=f32-acc", by_chain, 1},
    {"profile=f32-acc&scaling=ggml&attn_factor=1.1", by_chain, 1.1F},
    {"profile=f32-acc&scaling=ggml&freq_scale=.125&ext_factor=1&attn_factor=1"
     "&original_max_position_embeddings=4096&beta_fast=8&beta_slow=.25",
     by_ggml, 1.2079442F},
};

START_TEST(float32_profiles_take_the_frameworks_steps)
{
    const struct profile *p = &profiles[_i];
    char query[400];
    double *cosines, *sines;

    snprintf(query, sizeof query, "pos=" POSITIONS "&dim=96&base=500000&dtype=f32&%s",
             p->query);
    cosines = core_query_values("rope", query, "cos", NULL);
    sines = core_query_values("rope", query, "sin", NULL);
    for (size_t row = 0; row < ROWS; row++) {
        for (unsigned i = 0; i < PAIRS; i++) {
            double angle = (double)p->angle(positions[row], i);
            float c = (float)cos(angle) * p->factor, s = (float)sin(angle) * p->factor;
            size_t at = row * PAIRS + i;

            ck_assert_msg(cosines[at] == (double)c && sines[at] == (double)s,
                          "%s, position %g, pair %u: %.9g %.9g, not %.9g %.9g", p->query,
                          (double)positions[row], i, cosines[at], sines[at], (double)c,
                          (double)s);
        }
    }
    free(cosines);
    free(sines);
}
END_TEST

START_TEST(the_double_profile_is_double_throughout)
{
    double *w = core_query_values(
        "rope", "dim=96&base=500000&profile=f64&out=inv_freq&dtype=f64", "inv_freq", NULL);
    double *cosines = core_query_values(
        "rope", "pos=" POSITIONS "&dim=96&base=500000&profile=f64&dtype=f64", "cos", NULL);

    for (unsigned i = 0; i < PAIRS; i++) {
        ck_assert_double_eq_tol(w[i] * pow(500000, 2 * i / 96.0), 1, 0x1p-52);
        for (size_t row = 0; row < ROWS; row++)
            ck_assert_double_eq_tol(cosines[row * PAIRS + i],
                                    cos((double)positions[row] * w[i]), 0x1p-52);
    }
    free(w);
    free(cosines);
}
END_TEST

START_TEST(the_bfloat16_table_is_the_float32_one_rounded_again)
{
    double *wide = core_query_values(
        "rope", "pos=" POSITIONS "&dim=96&base=500000&profile=f32-pow&dtype=f32", "sin", NULL);
    double *narrow = core_query_values(
        "rope", "pos=" POSITIONS "&dim=96&base=500000&profile=bf16-table&dtype=f32", "sin",
        NULL);

    for (size_t i = 0; i < (size_t)ROWS * PAIRS; i++) {
        float value = (float)wide[i];
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        bits += 0x7FFF + (bits >> 16 & 1); /* to nearest, ties to even */
        bits &= 0xFFFF0000;
        memcpy(&value, &bits, sizeof value);
        ck_assert(narrow[i] == (double)value);
    }
    free(wide);
    free(narrow);
}
END_TEST

/* The frameworks' cosf of an infinite angle is NaN; the exact profile has no such end. */
START_TEST(an_angle_beyond_float32_has_no_sine)
{
#define FAR                                                                                    \
    "pos=9007199254740992&dim=64&base=1e-18&allow_base_below_one=1&scaling=linear"             \
    "&factor=1e-18&dtype=f32&profile="
    static const char *const names[] = {"f32-pow", "f32-exp", "f32-div", "f32-acc",
                                        "bf16-table"};
    char query[300];
    double *sines = core_query_values("rope", FAR "exact", "sin", NULL);

    ck_assert(isfinite(sines[31]));
    free(sines);
    for (size_t i = 0; i < PE_LEN(names); i++) {
        snprintf(query, sizeof query, FAR "%s", names[i]);
        sines = core_query_values("rope", query, "sin", NULL);
        ck_assert(isfinite(sines[0]));
        ck_assert(isnan(sines[31]));
        free(sines);
    }
}
END_TEST

START_TEST(a_dearer_road_costs_more)
{
    static const char *const rising[] = {
        "pos=0:4096&dim=64", "pos=0:4096&dim=64&dtype=f64", "pos=0.5,1.5&dim=64",
        "pos=0:4096&dim=64&profile=f32-pow", "pos=0:4096&dim=64&profile=f64"};
    double before = 0;

    for (size_t i = 0; i < PE_LEN(rising); i++) {
        struct pe_plan *plan = core_query_plan(core_query_find("rope"), rising[i]);

        ck_assert(pe_plan_cost_ns(plan, 1000) > before);
        before = pe_plan_cost_ns(plan, 1000);
        pe_plan_free(plan);
    }
}
END_TEST

SUITE(rotation_profile, TEST_EACH(float32_profiles_take_the_frameworks_steps, profiles),
      TEST(the_double_profile_is_double_throughout),
      TEST(the_bfloat16_table_is_the_float32_one_rounded_again),
      TEST(an_angle_beyond_float32_has_no_sine), TEST(a_dearer_road_costs_more));
