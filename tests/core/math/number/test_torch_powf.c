/* SPDX-License-Identifier: Apache-2.0
 * test_torch_powf.c - the listed powers move by their step, all others stay, and what was
 * measured is known. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/encoding.h"
#include "core/math/number/torch_powf.h"
#include "core/math/trig/frequency.h"
#include "tests/support/suite.h"

static const struct listed {
    double base;
    size_t dim, index;
    int steps[2];
} listed[] = {
#define BASE(B)
#define WIDTH(W)
#define AT(B, DIM, INDEX, AVX2, AVX512) {B, DIM, INDEX, {AVX2, AVX512}},
#include "core/math/number/torch_powf.def"
#undef AT
#undef BASE
#undef WIDTH
};

static int steps(float from, float to)
{
    int32_t a, b;

    memcpy(&a, &from, sizeof a);
    memcpy(&b, &to, sizeof b);
    return b - a;
}

START_TEST(every_listed_power_moves_by_its_step)
{
    for (size_t i = 0; i < PE_LEN(listed); i++) {
        const struct listed *e = &listed[i];

        for (size_t machine = 0; machine < 2; machine++) {
            float powers[256], before;

            frequency_f32_powers(powers, e->dim / 2, (float)e->base, e->dim);
            before = powers[e->index];
            torch_powf_apply(powers, e->dim / 2, (float)e->base, e->dim,
                             machine == 0 ? TORCH_POWF_AVX2 : TORCH_POWF_AVX512);
            ck_assert_msg(steps(before, powers[e->index]) == e->steps[machine],
                          "%g, %zu, %zu: %d", e->base, e->dim, e->index,
                          steps(before, powers[e->index]));
        }
        ck_assert(torch_powf_is_measured((float)e->base, e->dim));
    }
}
END_TEST

START_TEST(nothing_else_moves)
{
    float powers[64], same[64];

    frequency_f32_powers(powers, 64, 1e6F, 128);
    memcpy(same, powers, sizeof same);
    torch_powf_apply(same, 64, 1e6F, 128, TORCH_POWF_CORRECT);
    ck_assert_mem_eq(same, powers, sizeof same);
    torch_powf_apply(same, 64, 1e6F, 128, TORCH_POWF_AVX2);
    for (size_t i = 0; i < 64; i++)
        ck_assert_int_eq(steps(powers[i], same[i]) != 0, i == 37);
    memcpy(same, powers, sizeof same);
    torch_powf_apply(same, 37, 1e6F, 128, TORCH_POWF_AVX2); /* fewer than the list names */
    ck_assert_mem_eq(same, powers, sizeof same);
    torch_powf_apply(same, 64, 1234567, 128, TORCH_POWF_AVX2); /* a theta nobody tested */
    ck_assert_mem_eq(same, powers, sizeof same);
}
END_TEST

/* Theta, width, index and ULPs of 1/p, as seen in PyTorch 1.13 with AVX2. */
static const struct {
    float base;
    size_t dim, index;
    int ulps;
} seen[] = {{1000042, 256, 48, -1}, {1000042, 256, 112, -1}, {100, 36, 15, 1},
            {130000, 100, 27, 2},   {250000, 112, 20, -2},   {640000, 112, 15, 2},
            {1e9F, 176, 24, 2},     {999999.44F, 64, 11, 0}};

START_TEST(frequencies_of_thetas_that_models_have_are_torch_s)
{
    float powers[128], before;

    frequency_f32_powers(powers, seen[_i].dim / 2, seen[_i].base, seen[_i].dim);
    before = 1.0F / powers[seen[_i].index];
    torch_powf_apply(powers, seen[_i].dim / 2, seen[_i].base, seen[_i].dim, TORCH_POWF_AVX2);
    ck_assert_int_eq(steps(before, 1.0F / powers[seen[_i].index]), seen[_i].ulps);
}
END_TEST

START_TEST(only_what_was_compared_with_torch_is_measured)
{
    ck_assert(torch_powf_is_measured(1e6F, 128));
    ck_assert(torch_powf_is_measured((float)999999.4420358813, 512));
    ck_assert(!torch_powf_is_measured(1234567, 128));
    ck_assert(!torch_powf_is_measured(1e6F, 130));
}
END_TEST

SUITE(torch_powf, TEST(every_listed_power_moves_by_its_step),
      TEST_EACH(frequencies_of_thetas_that_models_have_are_torch_s, seen),
      TEST(only_what_was_compared_with_torch_is_measured), TEST(nothing_else_moves));
