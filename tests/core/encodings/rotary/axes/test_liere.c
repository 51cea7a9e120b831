/* SPDX-License-Identifier: Apache-2.0
 * test_liere.c - rotations by learned generators: the plane, blocks, heads, coordinates of a
 * grid, vectors. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

static double *turned(const char *encoding, const char *query, const double *x)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x};
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

START_TEST(a_block_of_two_rotates_in_the_plane)
{
    double *got = turned("liere/apply", "pos=1&x=f64:2&raw=0,1;0,0", (double[]){1, 0});

    ck_assert_double_eq_tol(got[0], .540302, .51e-6);
    ck_assert_double_eq_tol(got[1], -.841471, .51e-6);
    free(got);
    core_query_prints("liere", "pos=1&dim=2&raw=0,1;0,0&dtype=f64", "matrix",
                      "0.540302306 0.841470985 -0.841470985 0.540302306");
}
END_TEST

/* F = -U[0,1]: the paper writes columns first, the service rows first. */
START_TEST(blocks_of_two_are_rope2d_mixed)
{
    static const double x[24] = {1, 2, 3, 4, 5, 6, -1, .5, 7};
    double *got = turned(
        "liere/apply", "grid_sizes=2,3&x=f64:6x4&raw=0,-.5;0,0;0,1;0,0;0,-.25;0,0;0,-2;0,0", x);
    double *want = turned("rope2d-mixed/apply", "grid=2x3&x=f64:6x4&freqs=.25,2;.5,-1", x);

    for (size_t i = 0; i < 24; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-13);
    free(got), free(want);
}
END_TEST

#define RAW3 "raw=0,1,2;9,0,3;9,9,0;0,-1,1;0,0,2;0,0,0"

START_TEST(the_inverse_undoes_a_rotation_and_other_columns_pass)
{
    static const double x[8] = {1, 2, 3, 4, -5, 6, 7, 8};
    double *there = turned("liere/apply", "ids=1,2;3,-4&x=f64:2x4&" RAW3, x);
    double *back = turned("liere/apply", "ids=1,2;3,-4&x=f64:2x4&inverse=1&" RAW3, there);
    double length = 0, before = 0;

    ck_assert_double_eq(there[3], 4);
    ck_assert_double_eq(there[7], 8);
    for (size_t i = 0; i < 8; i++) {
        ck_assert_double_eq_tol(back[i], x[i], 1e-12);
        length += there[i] * there[i];
        before += x[i] * x[i];
    }
    ck_assert_double_eq_tol(length, before, 1e-11);
    ck_assert_double_gt(fabs(there[0] - x[0]), 0.1);
    free(there), free(back);
}
END_TEST

START_TEST(heads_have_generators_of_their_own)
{
    static const double x[8] = {1, 0, 1, 0, 1, 0, 1, 0};
    double *got =
        turned("liere/apply", "pos=1,2&x=f64:2x2x2&seq_axis=0&heads=2&raw=0,1;0,0;0,-3;0,0", x);

    ck_assert_double_eq_tol(got[0], cos(1), 1e-14);
    ck_assert_double_eq_tol(got[1], -sin(1), 1e-14);
    ck_assert_double_eq_tol(got[2], cos(3), 1e-14);
    ck_assert_double_eq_tol(got[3], sin(3), 1e-14);
    ck_assert_double_eq_tol(got[6], cos(6), 1e-13);
    free(got);
}
END_TEST

/* The coordinates are linspace(0, 3/4, 3), after a token that is not rotated. */
START_TEST(coordinates_run_over_the_grid_of_training)
{
    size_t count;
    double *got =
        core_query_values("liere",
                          "grid_sizes=3&training_sizes=4&prefix_tokens=1&dim=2&raw=0,1;0,0"
                          "&dtype=f64",
                          "matrix", &count);
    static const double angles[] = {0, 0, .375, .75};

    ck_assert_uint_eq(count, 16);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(got[4 * i + 1], sin(angles[i]), 1e-15);
    free(got);
}
END_TEST

SUITE(liere, TEST(a_block_of_two_rotates_in_the_plane), TEST(blocks_of_two_are_rope2d_mixed),
      TEST(the_inverse_undoes_a_rotation_and_other_columns_pass),
      TEST(heads_have_generators_of_their_own),
      TEST(coordinates_run_over_the_grid_of_training));
