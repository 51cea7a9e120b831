/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal.c - rows of sinusoids: the published numbers, the presets, what rows are
 * for, and what wrong requests are told. */
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
    {"pos=0:4&dim=4&base=100", "rows",
     "0 1 0 1 .84147098 .54030231 .09983342 .99500417 .90929743 -.41614684 .19866933 .98006658 "
     ".14112001 -.98999250 .29552021 .95533649"},
    {"pos=3&dim=8", "rows",
     ".14112001 -.98999250 .29552021 .95533649 .02999550 .99955003 .00299999550 .99999550"},
    {"pos=1000000&dim=8", "rows",
     "-.3499935022 .9367521275 .03574879797 -.9993608074 -.3056143889 -.9521553683 .8268795405 "
     ".5623790763"},
    {"pos=3&dim=8&ladder=geometric-closed&layout=concat", "rows",
     ".14112001 .13879810 .00646325907 .000300000 -.98999250 .99032070 .99997911 .99999995"},
    {"pos=1&dim=4&min_timescale=2&base=500&layout=concat", "rows",
     ".909297 .00799991 -.416147 .999968"},
    {"pos=1&dim=5&odd=extra-sin", "rows", "0.841471 0.540302 0.0251162 0.999685 0.000630957"},
    {"pos=1&dim=5&odd=zero-pad", "rows", "0.841471 0.540302 0.00999983 0.999950 0"},
    {"pos=1&dim=5&odd=ceil-truncate", "rows",
     "0.841471 0.540302 0.0463992 0.998923 0.00215443"},
    {"pos=1&dim=5&odd=zero-last", "rows", "0.841471 0.540302 0.0251162 0.999685 0"},
    {"pos=1&dim=5&odd=extra-sin&layout=concat", "rows",
     "0.841471 0.0251162 0.000630957 0.540302 0.999685"},
    {"pos=1&dim=1&odd=extra-sin", "rows", "0.841471"},
    {"pos=1&dim=2", "rows", "0.841471 0.540302"},
    {"pos=1&dim=2&ladder=closed", "rows", "0.841471 0.540302"},
    {"pos=1&dim=4&layout=concat", "rows", ".841471 .00999983 .540302 .999950"}, /* RoFormer */
    {"dim=8&out=wavelengths", "wavelengths", "6.28319 62.8319 628.319 6283.19"},
    {"dim=8&out=inv_freq", "inv_freq", "1 .1 .01 .001"},
    {"dim=2&out=wavelengths", "wavelengths", "6.283185307179586"},
};

START_TEST(published_numbers_are_served)
{
    char query[300];

    snprintf(query, sizeof query, "%s&dtype=f64&out=%s", known[_i].query, known[_i].output);
    if (strstr(known[_i].query, "out="))
        snprintf(query, sizeof query, "%s&dtype=f64", known[_i].query);
    core_query_prints("sinusoidal", query, known[_i].output, known[_i].numbers);
}
END_TEST

START_TEST(the_longest_wavelengths_are_those_people_quote)
{
    static const struct {
        const char *query;
        double longest, within;
    } cases[] = {{"dim=512&out=wavelengths&dtype=f64", 60611.5, 0.05},
                 {"dim=128&out=wavelengths&dtype=f64", 54410.1, 0.05},
                 {"dim=128&ladder=closed&out=wavelengths&dtype=f64", 62831.9, 0.05}};

    for (size_t i = 0; i < PE_LEN(cases); i++) {
        size_t count;
        double *values = core_query_values("sinusoidal", cases[i].query, "wavelengths", &count);

        ck_assert_double_eq_tol(values[count - 1], cases[i].longest, cases[i].within);
        free(values);
    }
}
END_TEST

/* ---- what rows are for --------------------------------------------------------------- */

START_TEST(the_squared_norm_of_a_row_is_half_its_width)
{
    static const char *const queries[] = {
        "pos=-5,0,7,1000,9007199254740991,0.125&dim=512&dtype=f64",
        "pos=-5,0,7,1000,9007199254740991&dim=64&ladder=closed&layout=concat-cs&dtype=f64",
        "pos=-5,0,7,1000&dim=65&odd=zero-pad&dtype=f64",
        "pos=-5,0,7,1000&dim=64&base=3.5&scale=0.3&layout=interleaved-cs&dtype=f64",
    };
    size_t count, dim = strstr(queries[_i], "dim=512") ? 512 : _i == 2 ? 65 : 64;
    double *values = core_query_values("sinusoidal", queries[_i], "rows", &count);

    for (size_t row = 0; row < count / dim; row++) {
        double norm = 0, pairs = (double)(dim / 2);

        for (size_t col = 0; col < dim; col++)
            norm += values[row * dim + col] * values[row * dim + col];
        ck_assert_double_eq_tol(norm, pairs, pairs * 0x1p-50);
    }
    free(values);
}
END_TEST

START_TEST(mlx_rows_have_norm_one)
{
    double *values =
        core_query_values("sinusoidal", "pos=77&dim=64&preset=mlx&dtype=f64", "rows", NULL);
    double norm = 0;

    for (size_t col = 0; col < 64; col++)
        norm += values[col] * values[col];
    ck_assert_double_eq_tol(norm, 1, 0x1p-48);
    free(values);
}
END_TEST

START_TEST(sines_are_odd_and_cosines_even_in_the_position)
{
    double *plus =
        core_query_values("sinusoidal", "pos=12345.75&dim=16&dtype=f64", "rows", NULL);
    double *minus =
        core_query_values("sinusoidal", "pos=-12345.75&dim=16&dtype=f64", "rows", NULL);

    for (size_t i = 0; i < 16; i += 2) {
        ck_assert(minus[i] == -plus[i]);
        ck_assert(minus[i + 1] == plus[i + 1]);
    }
    free(plus);
    free(minus);
}
END_TEST

/* Two queries whose rows hold the same bytes. */
static const struct {
    const char *one, *other;
} same[] = {
    {"pos=0:600&dim=16&scale=4", "pos=0:2400:4&dim=16"},
    {"pos=0:6&dim=16&scale=0.25", "pos=0,.25,.5,.75,1,1.25&dim=16"},
    {"pos=0:6&dim=16&base=0.5&allow_base_below_one=1&ladder=open",
     "pos=0:6&dim=16&base=.5&allow_base_below_one=true"},
    {"pos=0:6&dim=16&min_timescale=1", "pos=0:6&dim=16&ladder=geometric-closed"},
    {"pos=0:6&dim=16&odd=extra-sin", "pos=0:6&dim=16"}, /* an odd policy of an even width */
    {"pos=1:7&dim=16&padding_idx=0", "pos=1:7&dim=16"},
    {"pos=0:6&dim=16&amplitude=unit-rows", "pos=0:6&dim=16&amplitude=0.35355339059327379"},
    {"pos=0:6&dim=16&amplitude=inverse-sqrt-dim", "pos=0:6&dim=16&amplitude=0.25"},
    {"pos=0:6&dim=15&preset=tensor2tensor",
     "pos=0:6&dim=15&ladder=closed&layout=concat&odd=zero-pad"},
    {"pos=0:6&dim=15&preset=nllb&padding_idx=1",
     "pos=0:6&dim=15&ladder=closed&layout=concat&odd=zero-pad&padding_idx=1"},
    {"pos=0:6&dim=15&preset=roformer", "pos=0:6&dim=15&layout=concat&odd=extra-sin"},
    {"pos=0:6&dim=16&preset=distilbert", "pos=0:6&dim=16"},
    {"pos=0:6&dim=16&preset=whisper", "pos=0:6&dim=16&ladder=closed&layout=halves"},
    {"pos=0:6&dim=16&preset=audiocraft", "pos=0:6&dim=16&ladder=closed&layout=concat-cs"},
    {"pos=0:6&dim=16&preset=xlnet", "pos=0:6&dim=16&layout=concat"},
    {"pos=0:6&dim=15&preset=keras-hub", "pos=0:6&dim=15&odd=extra-sin"},
    {"pos=0:6&dim=16&preset=x-transformers", "pos=0:6&dim=16&layout=concat&amplitude=.25"},
    {"pos=0:3000:500&dim=16&granularity=1000", "pos=0,.5,1,1.5,2,2.5&dim=16"},
    {"pos=0:6&dim=16&scale=3&granularity=12", "pos=0:6&dim=16&scale=0.25"},
    {"pos=0:6&dim=16&preset=pyg&granularity=4", "pos=0,.25,.5,.75,1,1.25&dim=16&preset=pyg"},
    {"pos=0:6&dim=16&preset=pyg", "pos=0:6&dim=16&ladder=closed&layout=concat"},
    {"pos=0:6&dim=16&preset=pyg&layout=interleaved", "pos=0:6&dim=16&ladder=closed"},
    {"pos=0:6&dim=16&preset=vaswani&min_timescale=1&base=100",
     "pos=0:6&dim=16&ladder=closed&base=100"},
    {"pos=0:6&dim=16&preset=zero-first", "pos=0:6&dim=16&padding_idx=0"},
};

START_TEST(spellings_of_the_same_give_the_same_bytes)
{
    const struct pe_encoding *enc = core_query_find("sinusoidal");
    struct pe_plan *one = core_query_plan(enc, same[_i].one);
    struct pe_plan *other = core_query_plan(enc, same[_i].other);
    const struct pe_tensor_info *t = pe_plan_tensor(one, 0);
    float *a = core_query_bytes(one, 0), *b = core_query_bytes(other, 0);

    ck_assert_uint_eq(pe_plan_elements(one), pe_plan_elements(other));
    ck_assert_msg(memcmp(a, b, t->rows * t->cols * sizeof *a) == 0, "%s and %s differ",
                  same[_i].one, same[_i].other);
    free(a);
    free(b);
    pe_plan_free(one);
    pe_plan_free(other);
}
END_TEST

START_TEST(the_padding_position_is_all_zeros_and_no_other)
{
    size_t count;
    double *values = core_query_values(
        "sinusoidal", "pos=0:1000&dim=8&padding_idx=700&layout=concat", "rows", &count);

    for (size_t row = 0; row < 1000; row++) {
        double sum = 0;

        for (size_t col = 0; col < 8; col++)
            sum += fabs(values[row * 8 + col]);
        ck_assert((sum == 0) == (row == 700));
    }
    free(values);
}
END_TEST

START_TEST(facts_tell_pairs_and_the_longest_wavelength)
{
    struct pe_plan *plan =
        core_query_plan(core_query_find("sinusoidal"), "pos=0:4&dim=8&base=10000");

    ck_assert_str_eq(pe_plan_fact(plan, 0)->name, "pairs");
    ck_assert(pe_plan_fact(plan, 0)->number == 4);
    ck_assert_str_eq(pe_plan_fact(plan, 1)->name, "longest_wavelength");
    ck_assert_double_eq_tol(pe_plan_fact(plan, 1)->number, 6283.1853071795864, 1e-11);
    pe_plan_free(plan);
    plan = core_query_plan(core_query_find("sinusoidal"), "pos=0:4&dim=1&odd=zero-pad");
    ck_assert_uint_eq(pe_plan_fact_count(plan), 1); /* no pair, no wavelength */
    pe_plan_free(plan);
}
END_TEST

/* ---- wrong requests ------------------------------------------------------------------ */

#define P "pos=0:4&"

static const struct core_refusal refused[] = {
    {P "dim=0", PE_OUT_OF_RANGE, "dim", "must be a whole number, 1..65536; got 0", ""},
    {P "dim=65537", PE_OUT_OF_RANGE, "dim", "1..65536; got 65537", ""},
    {P "dim=127", PE_CONFLICT, "dim",
     "must be even unless odd= says what an odd width means (extra-sin, zero-pad, zero-last, "
     "ceil-truncate); got 127",
     ""},
    {P "dim=127&odd=error", PE_CONFLICT, "dim", "must be even unless odd=", ""},
    {P "dim=8&base=0.5", PE_OUT_OF_RANGE, "base",
     "is below 1, so that frequencies grow; give allow_base_below_one=1 if meant", ""},
    {P "dim=8&base=0.5&allow_base_below_one=0", PE_OUT_OF_RANGE, "base", "is below 1", ""},
    {P "dim=8&base=0", PE_OUT_OF_RANGE, "base", "must be a number, 1e-18..1000000000000000000",
     ""},
    {P "dim=5&odd=extra-sin&ladder=closed", PE_CONFLICT, "odd",
     "must be zero-pad or ceil-truncate with ladder=geometric-closed", ""},
    {P "dim=5&odd=zero-last&min_timescale=1", PE_CONFLICT, "odd",
     "must be zero-pad or ceil-truncate with ladder=geometric-closed", ""},
    {P "dim=8&min_timescale=1&ladder=geometric-open", PE_CONFLICT, "ladder",
     "must be geometric-closed or absent with min_timescale", ""},
    {"dim=5&odd=extra-sin&out=shift&shift=1", PE_CONFLICT, "odd",
     "must be zero-pad here: a sine without its cosine has no shift and no similarity", ""},
    {"dim=5&odd=ceil-truncate&out=similarity&distance=0:4", PE_CONFLICT, "odd",
     "must be zero-pad here", ""},
    {P "dim=1&odd=zero-pad&out=similarity_matrix", PE_CONFLICT, "dim",
     "must be at least 2 here: one column is all padding", ""},
    {"dim=8&out=shift", PE_MISSING_PARAMETER, "shift", "is required: k of the matrix M", ""},
    {"dim=8&out=similarity", PE_MISSING_PARAMETER, "distance",
     "is required: distances of the rows compared", ""},
    {"dim=8", PE_MISSING_PARAMETER, "pos", "is required: positions of the rows", ""},
    {P "dim=8&shift=2", PE_CONFLICT, "shift", "has no effect on out=rows; leave it out",
     "out=shift uses it"},
    {P "dim=8&measure=raw", PE_CONFLICT, "measure", "has no effect on out=rows",
     "out=similarity uses it"},
    {"dim=8&layout=concat&out=inv_freq", PE_CONFLICT, "layout", "has no effect on out=inv_freq",
     "out=rows uses it"},
    {P "dim=8&preset=wisper", PE_BAD_VALUE, "preset", "must be one of vaswani, tensor2tensor",
     "did you mean whisper?"},
    {P "dim=8&layout=interleved", PE_BAD_VALUE, "layout",
     "must be one of interleaved, interleaved-cs, concat, concat-cs; got interleved",
     "did you mean interleaved?"},
    {P "dim=8&scale=0", PE_OUT_OF_RANGE, "scale", "must be a number, 1e-18..", ""},
    {P "dim=8&scale=1e10&granularity=1e-10", PE_OUT_OF_RANGE, "granularity",
     "must leave scale/granularity within 1e-18..1e18; got 1e+20", ""},
    {P "dim=8&amplitude=0", PE_OUT_OF_RANGE, "amplitude", "or unit-rows, or inverse-sqrt-dim",
     ""},
    {P "dim=8&profile=f32-pow", PE_BAD_VALUE, "profile", "must be one of exact; got f32-pow",
     ""},
    {P "dim=8&d_model=8", PE_UNKNOWN_PARAMETER, "d_model", "unknown parameter of sinusoidal",
     ""},
};

START_TEST(wrong_requests_are_told_what_would_be_right)
{
    core_query_refused(core_query_find("sinusoidal"), &refused[_i]);
}
END_TEST

static const struct suite_test tests[] = {
    TEST_EACH(published_numbers_are_served, known),
    TEST(the_longest_wavelengths_are_those_people_quote),
    TEST_RANGE(the_squared_norm_of_a_row_is_half_its_width, 0, 4),
    TEST(mlx_rows_have_norm_one),
    TEST(sines_are_odd_and_cosines_even_in_the_position),
    TEST_EACH(spellings_of_the_same_give_the_same_bytes, same),
    TEST(the_padding_position_is_all_zeros_and_no_other),
    TEST(facts_tell_pairs_and_the_longest_wavelength),
    TEST_EACH(wrong_requests_are_told_what_would_be_right, refused),
};

const struct suite sinusoidal_suite = {SUITE_TESTS(tests)};
