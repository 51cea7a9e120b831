/* SPDX-License-Identifier: Apache-2.0
 * test_mistake_arithmetic.c - numbers of arithmetics that lose digits on the way, made step by
 * step as programs make them, and what a verdict says of each. */
#include <math.h>
#include <string.h>

#include "core/verify/angles.h"
#include "tests/core/support/verify_case.h"
#include "tests/support/suite.h"

enum { ROWS = 48, PAIRS = 16, HEADS = 4, KEYS = 64 };

enum way { ACCUMULATED, WRAPPED, STEPS, BITS };

static double level(enum way way, double number)
{
    int exponent;

    if (way == STEPS)
        return nearbyint(number * 31) / 31;
    if (way != BITS)
        return number;
    number = frexp(number, &exponent);
    return ldexp(nearbyint(number * 16) / 16, exponent);
}

/* Adds cosines and sines of positions from `first` on, of base 10000. */
static void add_tables(struct verify_case *made, enum way way, int first)
{
    const uint64_t dims[] = {ROWS, PAIRS};
    const double ratio = pow(1e4, -1.0 / PAIRS);
    float cos_of[ROWS * PAIRS], sin_of[ROWS * PAIRS];
    double w = 1;

    for (int pair = 0; pair < PAIRS; pair++) {
        for (int row = 0; row < ROWS; row++) {
            double angle = (first + row) * w;

            if (way == WRAPPED)
                angle = fmod(angle, 6.2832);
            cos_of[row * PAIRS + pair] = (float)level(way, cos(angle));
            sin_of[row * PAIRS + pair] = (float)level(way, sin(angle));
        }
        w = way == ACCUMULATED ? angles_round(ANGLES_F16, w * angles_round(ANGLES_F16, ratio))
                               : w * ratio;
    }
    verify_case_add(made, "cos", PE_F32, 2, dims, cos_of);
    verify_case_add(made, "sin", PE_F32, 2, dims, sin_of);
}

static const struct {
    enum way way;
    int first;
    const char *claim, *slug, *says;
} tables[] = {
    {ACCUMULATED, 0, "rope?dim=32&pos=0:48", "inv-freq-accumulated",
     "each inverse frequency is the one before it times a ratio, in float16, whose error adds "
     "up; a power of each index is right"},
    {WRAPPED, 1000, "rope?dim=32&pos=1000:1048", "angles-wrapped",
     "angles are reduced modulo 6.2832 where 2 pi is right: the error grows with the position"},
    /* The numbers are near enough to be rounded by another arithmetic: only those are tried. */
    {WRAPPED, 400, "rope?dim=32&pos=400:448", "angles-wrapped",
     "angles are reduced modulo 6.2832 where 2 pi is right: the error grows with the position"},
    {STEPS, 0, "rope?dim=32&pos=0:48", "few-levels",
     "numbers are rounded to 31 levels of either sign, as a quantized table has; "
     "float32 is right"},
    {BITS, 100, "rope?dim=32&pos=100:148", "few-levels",
     "numbers are rounded to 4 significant bits, as a quantized table has; float32 "
     "is right"},
};

static void expect(struct verify_case *made, const char *claim, const char *slug,
                   const char *says)
{
    verify_case_claim(made, claim);
    struct pe_verdict *verdict = verify_case_verdict(made);
    const struct pe_mistake *mistake = &verdict->explanation.mistake[0];

    ck_assert_int_eq(verdict->kind, PE_MISTAKE);
    ck_assert_uint_eq(verdict->explanation.count, 1);
    ck_assert_str_eq(mistake->slug, slug);
    ck_assert_str_eq(mistake->says, says);
    ck_assert_double_le(mistake->evidence.within, 1);
    pe_verdict_free(verdict);
    verify_case_free(made);
}

START_TEST(the_arithmetic_of_a_table_is_named)
{
    struct verify_case made = {.count = 0};

    add_tables(&made, tables[_i].way, tables[_i].first);
    expect(&made, tables[_i].claim, tables[_i].slug, tables[_i].says);
}
END_TEST

/* ---- distances --------------------------------------------------------------------------- */

static const struct {
    enum angles_rounding to;
    int query;
    const char *claim, *slug;
} biases[] = {
    {ANGLES_BF16, 600, "alibi?heads=4&length_scale=0.7&q=600&k=0:64", "positions-bf16"},
    {ANGLES_F16, 3000, "alibi?heads=4&length_scale=0.7&q=3000&k=0:64", "positions-f16"},
};

START_TEST(the_rounding_of_the_distances_of_a_bias_is_named)
{
    const uint64_t dims[] = {HEADS, 1, KEYS};
    struct verify_case made = {.count = 0};
    float bias[HEADS * KEYS];

    for (int head = 0; head < HEADS; head++)
        for (int key = 0; key < KEYS; key++)
            bias[head * KEYS + key] =
                (float)(-ldexp(0.7, -2 * (head + 1)) *
                        angles_round(biases[_i].to, biases[_i].query - key));
    verify_case_add(&made, "bias", PE_F32, 3, dims, bias);
    expect(&made, biases[_i].claim, biases[_i].slug,
           _i == 0 ? "positions are rounded to bfloat16, which has no 257; integers or float32 "
                     "are right"
                   : "positions are rounded to float16, which has no 2049; integers or float32 "
                     "are right");
}
END_TEST

/* A frequency and a product of float32 decide on which side of float16's step an angle is. */
START_TEST(angles_between_two_numbers_of_a_dtype_may_be_either)
{
    const uint64_t dims[] = {ROWS, PAIRS};
    struct verify_case made = {.count = 0};
    float cos_of[ROWS * PAIRS], sin_of[ROWS * PAIRS];

    for (int row = 0; row < ROWS; row++)
        for (int pair = 0; pair < PAIRS; pair++) {
            const float w =
                powf(1e4F, -(float)pair / PAIRS) * (1 + (float)(pair % 3 - 1) * 0x1p-23F);
            const double angle = angles_round(ANGLES_F16, (float)(row + 100) * w);

            cos_of[row * PAIRS + pair] = (float)cos(angle);
            sin_of[row * PAIRS + pair] = (float)sin(angle);
        }
    verify_case_add(&made, "cos", PE_F32, 2, dims, cos_of);
    verify_case_add(&made, "sin", PE_F32, 2, dims, sin_of);
    expect(&made, "rope?dim=32&pos=100:148", "angles-f16",
           "angles are rounded to float16 before the cosine, where float32 is right");
}
END_TEST

SUITE(mistake_arithmetic, TEST_EACH(the_arithmetic_of_a_table_is_named, tables),
      TEST_EACH(the_rounding_of_the_distances_of_a_bias_is_named, biases),
      TEST(angles_between_two_numbers_of_a_dtype_may_be_either));
