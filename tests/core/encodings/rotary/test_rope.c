/* SPDX-License-Identifier: Apache-2.0
 * test_rope.c - cosines and sines that rotate: published numbers, the laws of rotation, what
 * scaling does, and what wrong requests are told. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- published numbers --------------------------------------------------------------- */

static const struct {
    const char *query, *output, *numbers;
} known[] = {
    {"dim=8&out=inv_freq", "inv_freq", "1 .1 .01 .001"},
    {"dim=8&base=500000&out=inv_freq", "inv_freq", "1 .0376060 .00141421 5.31830e-5"},
    {"dim=2&out=inv_freq", "inv_freq", "1"},
    {"dim=8&base=1&out=inv_freq", "inv_freq", "1 1 1 1"},
    {"dim=4&base=.25&allow_base_below_one=1&out=inv_freq", "inv_freq", "1 2"},
    {"dim=8&scaling=linear&factor=4&out=inv_freq", "inv_freq", ".25 .025 .0025 .00025"},
    {"dim=8&scaling=default&out=inv_freq", "inv_freq", "1 .1 .01 .001"},
    {"dim=16&partial_rotary_factor=.25&base=1000000&out=inv_freq", "inv_freq", "1 .001"},
    {"dim=8&out=wavelengths", "wavelengths", "6.28319 62.8319 628.319 6283.19"},
    {"dim=4&out=attention_factor", "attention_factor", "1"},
    {"pos=1&dim=4&out=sin", "sin", ".841471 .00999983"}, /* RoFormer's table */
    {"pos=1&dim=4&out=cos", "cos", ".540302 .999950"},
    {"pos=1&dim=4&out=cos&width=full", "cos", ".540302 .999950 .540302 .999950"},
    {"pos=1&dim=4&out=cos&width=full&pairing=adjacent", "cos",
     ".540302 .540302 .999950 .999950"},
    {"pos=1&dim=4&out=sin&width=full&pairing=interleaved", "sin",
     ".841471 .841471 .00999983 .00999983"},
    {"pos=0&dim=4&out=cos", "cos", "1 1"},
    {"pos=0&dim=4&out=sin", "sin", "0 0"},
};

START_TEST(published_numbers_are_served)
{
    char query[300];

    snprintf(query, sizeof query, "%s&dtype=f64", known[_i].query);
    core_query_prints("rope", query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(the_hugging_face_width_of_phi_is_rounded_down)
{
    size_t count;
    double *freq = core_query_values("rope", "dim=80&partial_rotary_factor=0.4&out=inv_freq",
                                     "inv_freq", &count);

    ck_assert_uint_eq(count, 16);
    free(freq);
}
END_TEST

/* The worst known position of pair 0: the sine near zero must be right to the last bit. */
START_TEST(sines_near_a_zero_are_right)
{
    core_query_prints("rope", "pos=6134899525417045&dim=128&out=sin&dtype=f64&rotary_dim=2",
                      "sin", "9.495905770584396e-17");
    core_query_prints("rope", "pos=355&dim=2&out=sin&dtype=f64", "sin",
                      "-3.014435335948845e-5");
}
END_TEST

/* ---- laws ---------------------------------------------------------------------------- */

struct table {
    double *cos, *sin;
    size_t count;
};

static struct table table_of(const char *query)
{
    struct table table;

    table.cos = core_query_values("rope", query, "cos", &table.count);
    table.sin = core_query_values("rope", query, "sin", NULL);
    return table;
}

static void table_free(struct table *table)
{
    free(table->cos);
    free(table->sin);
}

static const struct {
    const char *dtype;
    double within; /* of 1, for a square of each */
} precisions[] = {{"f64", 0x1p-51}, {"f32", 0x1p-23}, {"f16", 0x1p-10}, {"bf16", 0x1p-7}};

START_TEST(squares_of_cosine_and_sine_add_to_one)
{
    char query[200];
    struct table t;

    snprintf(query, sizeof query, "pos=-300:900:3,9007199254740992&dim=64&base=500000&dtype=%s",
             precisions[_i].dtype);
    t = table_of(query);
    for (size_t i = 0; i < t.count; i++)
        ck_assert_double_eq_tol(t.cos[i] * t.cos[i] + t.sin[i] * t.sin[i], 1,
                                precisions[_i].within);
    table_free(&t);
}
END_TEST

START_TEST(angles_add)
{
    struct table a = table_of("pos=0,1,17,-4096,0.75,1000003&dim=32&dtype=f64");
    struct table b = table_of("pos=5,-1,40000,4096,1.5,999999999989&dim=32&dtype=f64");
    struct table sum = table_of("pos=5,0,40017,0,2.25,1000000999992&dim=32&dtype=f64");

    for (size_t i = 0; i < a.count; i++) {
        ck_assert_double_eq_tol(a.cos[i] * b.cos[i] - a.sin[i] * b.sin[i], sum.cos[i], 4e-16);
        ck_assert_double_eq_tol(a.sin[i] * b.cos[i] + a.cos[i] * b.sin[i], sum.sin[i], 4e-16);
    }
    table_free(&a);
    table_free(&b);
    table_free(&sum);
}
END_TEST

/* Two queries whose tables hold the same bytes (only the last bit is free to differ where one
 * takes the fast road, which no row count here does). */
static const struct {
    const char *one, *other;
} same[] = {
    {"pos=0:32:8&dim=32&scaling=linear&factor=8", "pos=0:4&dim=32"},
    {"pos=0:300:3&dim=32&scaling=linear&factor=3", "pos=0:100&dim=32"},
    {"pos=0.5,1.5&dim=32", "pos=4,12&dim=32&scaling=linear&factor=8"},
    {"pos=0:100&dim=32&scaling=linear&factor=1", "pos=0:100&dim=32"},
    {"pos=0:100&dim=32&scaling=default", "pos=0:100&dim=32"},
    {"pos=0:100&dim=32&rotary_dim=8", "pos=0:100&dim=8"},
    {"pos=0:100&dim=32&partial_rotary_factor=0.25", "pos=0:100&dim=32&rotary_dim=8"},
    {"pos=0:100&dim=32&pairing=adjacent", "pos=0:100&dim=32"}, /* half the width */
    {"pos=0:100&dim=32&pairing=neox&width=full", "pos=0:100&dim=32&pairing=half&width=full"},
    {"pos=0:100&dim=32&pairing=gptj&width=full",
     "pos=0:100&dim=32&pairing=adjacent&width=full"},
    {"pos=0:100&dim=32&scaling=linear&factor=3&profile=f32-pow",
     "pos=0:100&dim=32&scaling=linear&factor=3.0000000001&profile=f32-pow"}, /* fl(s) */
};

START_TEST(spellings_of_the_same_give_the_same_bytes)
{
    static const char *const dtypes[] = {"f64", "f32", "bf16"};

    for (size_t i = 0; i < PE_LEN(dtypes); i++) {
        char query[300];
        struct table one, other;

        snprintf(query, sizeof query, "%s&dtype=%s", same[_i].one, dtypes[i]);
        one = table_of(query);
        snprintf(query, sizeof query, "%s&dtype=%s", same[_i].other, dtypes[i]);
        other = table_of(query);
        ck_assert_uint_eq(one.count, other.count);
        ck_assert_mem_eq(one.cos, other.cos, one.count * sizeof(double));
        ck_assert_mem_eq(one.sin, other.sin, one.count * sizeof(double));
        table_free(&one);
        table_free(&other);
    }
}
END_TEST

START_TEST(sines_are_odd_and_cosines_even_in_the_position)
{
    struct table plus = table_of("pos=0:700&dim=16&dtype=f32");
    struct table minus = table_of("pos=0:-700:-1&dim=16&dtype=f32");

    for (size_t i = 0; i < plus.count; i++) {
        ck_assert(minus.cos[i] == plus.cos[i]);
        ck_assert(minus.sin[i] == -plus.sin[i]);
    }
    table_free(&plus);
    table_free(&minus);
}
END_TEST

/* The dot product of a rotated query and a rotated key depends on their distance alone. */
START_TEST(scores_depend_on_distance_alone)
{
    static const double q[] = {1, -2, 0.5, 3, 0.25, -1, 2, 1.5};
    static const double k[] = {0.5, 1, -1, 2, 3, -0.75, 1, 0.125};
    struct table t = table_of("pos=5,2,1005,1002,-95,-98&dim=8&dtype=f64");
    double scores[3];

    for (size_t i = 0; i < 3; i++) {
        scores[i] = 0;
        for (size_t pair = 0; pair < 4; pair++) {
            const double *c = t.cos + i * 8, *s = t.sin + i * 8; /* rows 2i and 2i + 1 */
            double qx = q[pair] * c[pair] - q[pair + 4] * s[pair];
            double qy = q[pair] * s[pair] + q[pair + 4] * c[pair];
            double kx = k[pair] * c[pair + 4] - k[pair + 4] * s[pair + 4];
            double ky = k[pair] * s[pair + 4] + k[pair + 4] * c[pair + 4];

            scores[i] += qx * kx + qy * ky;
        }
    }
    ck_assert_double_eq_tol(scores[0], scores[1], 1e-14);
    ck_assert_double_eq_tol(scores[0], scores[2], 1e-14);
    table_free(&t);
}
END_TEST

/* Hugging Face's steps, in float: e = fl(2i)/fl(r), w = 1/powf(base, e), fl(pos) * w. */
START_TEST(the_float32_profile_takes_float32_steps)
{
    struct table t =
        table_of("pos=0,1,4095,131071,16777217&dim=16&base=500000&profile=f32-pow&dtype=f64");
    static const float positions[] = {0, 1, 4095, 131071, 16777217.0F};

    for (size_t row = 0; row < 5; row++) {
        for (size_t i = 0; i < 8; i++) {
            float e = (float)(2 * i) / 16.0F;
            float w = 1.0F / (float)pow(500000, (double)e);
            float angle = positions[row] * w;

            ck_assert_msg(t.cos[row * 8 + i] == (double)(float)cos((double)angle) &&
                              t.sin[row * 8 + i] == (double)(float)sin((double)angle),
                          "row %zu, pair %zu: %.9g %.9g", row, i, t.cos[row * 8 + i],
                          t.sin[row * 8 + i]);
        }
    }
    table_free(&t);
}
END_TEST

START_TEST(facts_and_warnings_tell_what_scaling_did)
{
    const struct pe_encoding *enc = core_query_find("rope");
    struct pe_plan *plan =
        core_query_plan(enc, "pos=0:4&dim=8&base=77&scaling=linear&factor=0.5");

    ck_assert_str_eq(pe_plan_fact(plan, 0)->name, "attention_factor");
    ck_assert(pe_plan_fact(plan, 0)->number == 1);
    ck_assert_str_eq(pe_plan_fact(plan, 1)->name, "effective_base");
    ck_assert(pe_plan_fact(plan, 1)->number == 77);
    ck_assert_uint_eq(pe_plan_warning_count(plan), 1);
    ck_assert_str_eq(pe_plan_warning(plan, 0), "factor is below 1: it shortens the context");
    pe_plan_free(plan);
    plan = core_query_plan(enc, "pos=0:4&dim=8&scaling=linear&factor=1");
    ck_assert_uint_eq(pe_plan_warning_count(plan), 0);
    pe_plan_free(plan);
}
END_TEST

#define TORCH "out=inv_freq&dim=64&profile=f32-pow&powf=torch-avx2"
#define NEVER                                                                                  \
    " was never measured in PyTorch: frequencies may differ from its own by 1 or 2 ULP"

static const struct {
    const char *encoding, *query, *warning; /* NULL: none */
} powers[] = {
    {"rope", TORCH, NULL},
    {"rope", TORCH "&base=1000042", NULL},
    {"rope", TORCH "&base=1234567", "powf: theta 1234567 at width 64" NEVER},
    {"rope", TORCH "&rotary_dim=18", "powf: theta 10000 at width 18" NEVER},
    {"rope", "out=inv_freq&dim=64&profile=f32-pow&base=1234567", NULL},
    {"rope", TORCH "&scaling=ntk&factor=2", "powf: theta 20452.2285 at width 64" NEVER},
    {"rope",
     TORCH "&scaling=ntk-by-parts&scaling_variant=part-ntk&factor=4"
           "&original_max_position_embeddings=2048",
     "powf: the second theta of part-ntk" NEVER},
    {"xpos", "pos=0:2&dim=18&profile=f32-pow&powf=torch-avx512",
     "powf: theta 10000 at width 18" NEVER},
    {"mrope", "pos=0:2&dim=18&mrope_section=3,3,3&profile=f32-pow&powf=torch-avx512",
     "powf: theta 10000 at width 18" NEVER},
};

START_TEST(powers_that_nobody_measured_are_told)
{
    const struct pe_encoding *enc = core_query_find(powers[_i].encoding);
    struct pe_plan *plan = core_query_plan(enc, powers[_i].query);

    ck_assert_uint_eq(pe_plan_warning_count(plan), powers[_i].warning != NULL);
    if (powers[_i].warning)
        ck_assert_str_eq(pe_plan_warning(plan, 0), powers[_i].warning);
    pe_plan_free(plan);
}
END_TEST

/* ---- wrong requests ------------------------------------------------------------------ */

#define P "pos=0:4&"

static const struct core_refusal refused[] = {
    {P "dim=127", PE_OUT_OF_RANGE, "dim", "must be an even number, 2..65536; got 127", ""},
    {P "dim=0", PE_OUT_OF_RANGE, "dim", "must be an even number, 2..65536; got 0", ""},
    {P "dim=8&rotary_dim=3", PE_OUT_OF_RANGE, "rotary_dim",
     "must be an even number, 2..65536; got 3", ""},
    {P "dim=8&rotary_dim=10", PE_CONFLICT, "rotary_dim", "must be at most dim, 8; got 10", ""},
    {P "dim=8&rotary_dim=4&partial_rotary_factor=0.5", PE_CONFLICT, "partial_rotary_factor",
     "and rotary_dim say the same thing; give one", ""},
    {P "dim=10&partial_rotary_factor=0.5", PE_CONFLICT, "partial_rotary_factor",
     "must give an even width of at least 2; trunc(10 * 0.5) is 5", ""},
    {P "dim=8&partial_rotary_factor=0.1", PE_CONFLICT, "partial_rotary_factor",
     "must give an even width of at least 2; trunc(8 * 0.1) is 0", ""},
    {P "dim=8&partial_rotary_factor=0", PE_OUT_OF_RANGE, "partial_rotary_factor",
     "must be a number, above 0..1; got 0", ""},
    {P "dim=8&partial_rotary_factor=1.5", PE_OUT_OF_RANGE, "partial_rotary_factor",
     "must be a number, above 0..1; got 1.5", ""},
    {P "dim=8&base=0.5", PE_OUT_OF_RANGE, "base",
     "is below 1, so that frequencies grow; give allow_base_below_one=1 if meant", ""},
    {P "dim=8&scaling=linear", PE_MISSING_PARAMETER, "factor",
     "is required with scaling=linear", ""},
    {P "dim=8&factor=8", PE_CONFLICT, "factor",
     "has no effect with scaling=none; leave it out, or choose a scaling that uses it", ""},
    {P "dim=8&scaling=linear&factor=0", PE_OUT_OF_RANGE, "factor", "must be a number, ", ""},
    {P "dim=8&scaling=liner&factor=8", PE_BAD_VALUE, "scaling",
     "must be one of none, linear, ntk, dynamic, ntk-by-parts, yarn, deepseek_yarn, "
     "longrope, llama3",
     "did you mean linear?"},
    {"dim=8&width=full&out=inv_freq", PE_CONFLICT, "width",
     "has no effect on out=inv_freq; leave it out", "out=cos uses it"},
    {P "dim=8&pairing=hlaf", PE_BAD_VALUE, "pairing", "must be one of half, adjacent; got hlaf",
     "did you mean half?"},
    {P "dim=8&out=cosine", PE_BAD_VALUE, "out",
     "must name outputs, each once, of: cos, sin, inv_freq, wavelengths, matrix, "
     "attention_factor, turns, kept, effective_base, ntk_alpha, table, min_theta, decay, "
     "similarity, context_turns, critical_dim; got cosine",
     ""},
    {P "dim=8&theta=10000", PE_UNKNOWN_PARAMETER, "theta", "unknown parameter of rope", ""},
    {"dim=8", PE_MISSING_PARAMETER, "pos", "is required: positions of the rows", ""},
    {P "dim=8&dtype=i32", PE_CONFLICT, "dtype",
     "must be f32, f64, f16 or bf16 for cos, which holds reals; got i32", ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("rope"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(published_numbers_are_served, known),
    TEST(the_hugging_face_width_of_phi_is_rounded_down),
    TEST(sines_near_a_zero_are_right),
    TEST_EACH(squares_of_cosine_and_sine_add_to_one, precisions),
    TEST(angles_add),
    TEST_EACH(spellings_of_the_same_give_the_same_bytes, same),
    TEST(sines_are_odd_and_cosines_even_in_the_position),
    TEST(scores_depend_on_distance_alone),
    TEST(the_float32_profile_takes_float32_steps),
    TEST(facts_and_warnings_tell_what_scaling_did),
    TEST_EACH(powers_that_nobody_measured_are_told, powers),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite rope_suite = {SUITE_TESTS(tests)};
