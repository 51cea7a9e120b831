/* SPDX-License-Identifier: Apache-2.0
 * test_torch_powf.c - the listed powers move by one step, so that 1/p moves by the listed ULPs;
 * all others stay. */
#include <check.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/encoding.h"
#include "core/math/frequency.h"
#include "core/math/torch_powf.h"

Suite *torch_powf_suite(void);

static const struct listed {
    double base;
    size_t dim, index;
    int delta[2];
} listed[] = {
#define POWF(BASE, DIM, INDEX, AVX2, AVX512) {BASE, DIM, INDEX, {AVX2, AVX512}},
#include "core/math/torch_powf.def"
#undef POWF
};

static int steps(float from, float to)
{
    int32_t a, b;

    memcpy(&a, &from, sizeof a);
    memcpy(&b, &to, sizeof b);
    return b - a;
}

START_TEST(every_listed_frequency_moves_by_its_ulps)
{
    for (size_t i = 0; i < PE_LEN(listed); i++) {
        const struct listed *e = &listed[i];

        for (size_t machine = 0; machine < 2; machine++) {
            float powers[128], before;

            frequency_f32_powers(powers, e->dim / 2, (float)e->base, e->dim);
            before = 1.0F / powers[e->index];
            torch_powf_apply(powers, e->dim / 2, (float)e->base, e->dim,
                             machine == 0 ? TORCH_POWF_AVX2 : TORCH_POWF_AVX512);
            ck_assert_msg(steps(before, 1.0F / powers[e->index]) == e->delta[machine],
                          "%g, %zu, %zu: %d", e->base, e->dim, e->index,
                          steps(before, 1.0F / powers[e->index]));
        }
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

Suite *torch_powf_suite(void)
{
    Suite *suite = suite_create("torch_powf");
    TCase *tests = tcase_create("torch_powf");

    tcase_add_test(tests, every_listed_frequency_moves_by_its_ulps);
    tcase_add_test(tests, nothing_else_moves);
    suite_add_tcase(suite, tests);
    return suite;
}
