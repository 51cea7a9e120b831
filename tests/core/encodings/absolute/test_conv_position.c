/* SPDX-License-Identifier: Apache-2.0
 * test_conv_position.c - positions by convolution: a law beyond the rows of
 * conv_position.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static void answers(const char *query, const float *x, const float *weight, const double *right,
                    size_t count)
{
    struct pe_plan *plan = core_query_plan(core_query_find("conv-position"), query);
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x, (void *)(uintptr_t)weight};
    double *got = core_tensor_doubles(plan, 0, inputs);

    for (size_t i = 0; i < count; i++)
        ck_assert_double_eq(got[i], right[i]);
    free(got);
    pe_plan_free(plan);
}

/* The vectors are two batches of two positions; four channels form two groups; the kernel has
 * one tap. */
START_TEST(a_channel_depends_on_its_group_and_batch_alone)
{
    static const float x[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0, 0, 0, 0, 0, 1};
    static const float weight[] = {1, 10, 100, 0, 0, 1, -1, 1};
    static const double right[] = {22, 102, 7, 5, 70, 506, 15, 9, 2, 100, 0, 0, 0, 0, 1, 2};

    answers("x=f32:2x2x4&weight=f32:4x2x1&activation=none", x, weight, right, 16);
}
END_TEST

START_TEST(a_kernel_of_two_axes_walks_a_grid)
{
    static const float x[] = {1, 2, 3, 4, 5, 6}, weight[] = {0, 100, 0, 10, 0, 0, 0, 0, 1000};
    static const double right[] = {5001, 6012, 23, 104, 245, 356};

    answers("x=f32:6x1&weight=f32:1x1x3x3&grid=2x3&activation=none", x, weight, right, 6);
}
END_TEST

/* There are more positions and channels than one step sums, in two groups of ten. */
START_TEST(many_sums_side_by_side_are_each_its_own)
{
    enum { LEN = 19, DIM = 20, CHANNELS = 10, TAPS = 4 };
    float x[LEN * DIM], weight[DIM * CHANNELS * TAPS];
    double right[LEN * DIM];

    for (int i = 0; i < LEN * DIM; i++)
        x[i] = (float)(i * 37 % 101 - 50);
    for (int i = 0; i < DIM * CHANNELS * TAPS; i++)
        weight[i] = (float)(i * 53 % 89 - 44);
    for (int l = 0; l < LEN; l++) {
        for (int c = 0; c < DIM; c++) {
            right[l * DIM + c] = x[l * DIM + c];
            for (int i = 0; i < CHANNELS * TAPS; i++) {
                const int from = l + i % TAPS - TAPS / 2;

                if (from >= 0 && from < LEN)
                    right[l * DIM + c] += weight[c * CHANNELS * TAPS + i] *
                                          x[from * DIM + c / CHANNELS * CHANNELS + i / TAPS];
            }
        }
    }
    answers("x=f32:19x20&weight=f32:20x10x4&activation=none", x, weight, right, LEN * DIM);
}
END_TEST

/* Inside the sequence a shifted input gives the shifted answer; at the borders the padding
 * differs. */
START_TEST(a_shift_of_the_vectors_is_a_shift_of_the_inside)
{
    double *here = core_query_values(
        "conv-position", "x=0;0;5;-1;2;0;0;0&weight=.5,2,-1&conv_bias=.25", "x", NULL);
    double *later = core_query_values(
        "conv-position", "x=0;0;0;5;-1;2;0;0&weight=.5,2,-1&conv_bias=.25", "x", NULL);

    for (size_t i = 0; i < 7; i++)
        ck_assert(here[i] == later[i + 1]);
    free(here);
    free(later);
}
END_TEST

SUITE(conv_position, TEST(a_channel_depends_on_its_group_and_batch_alone),
      TEST(a_kernel_of_two_axes_walks_a_grid), TEST(many_sums_side_by_side_are_each_its_own),
      TEST(a_shift_of_the_vectors_is_a_shift_of_the_inside));
