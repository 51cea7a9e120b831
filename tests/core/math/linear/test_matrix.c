/* SPDX-License-Identifier: Apache-2.0
 * test_matrix.c - exponentials and Cayley's transform against what is known of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/linear/matrix.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { MOST = 24 };

struct sample {
    double a[MOST * MOST], out[MOST * MOST], back[MOST * MOST], product[MOST * MOST];
    double scratch[2 * MOST * MOST];
};

/* A skew-symmetric matrix of elements up to `most`. */
static void draw_skew(double *a, size_t n, double most)
{
    struct core_random random = {n};

    memset(a, 0, n * n * sizeof *a);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            a[i * n + j] = core_random_real(&random, -most, most);
            a[j * n + i] = -a[i * n + j];
        }
    }
}

static void expect_unit(const double *a, size_t n, double tolerance)
{
    for (size_t i = 0; i < n * n; i++)
        ck_assert_msg(fabs(a[i] - (i % (n + 1) == 0)) <= tolerance, "[%zu] of %zu: %g", i, n,
                      a[i]);
}

START_TEST(a_generator_of_the_plane_turns_by_its_angle)
{
    static const double angles[] = {0, 1e-9, 0.5, 3, 100, 123456.75};
    struct sample s;

    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        const double t = angles[i], bound = 4 * (1 + t) * 0x1p-48;

        memcpy(s.a, (double[]){0, -t, t, 0}, 4 * sizeof(double));
        matrix_exponential(s.a, 2, s.out, s.scratch);
        ck_assert_double_le(fabs(s.out[0] - cos(t)), bound);
        ck_assert_double_le(fabs(s.out[1] + sin(t)), bound);
        ck_assert_double_le(fabs(s.out[2] - sin(t)), bound);
    }
}
END_TEST

START_TEST(a_nilpotent_matrix_has_a_polynomial_for_exponential)
{
    struct sample s;

    memcpy(s.a, (double[]){0, 2, 3, 0, 0, 4, 0, 0, 0}, 9 * sizeof(double));
    matrix_exponential(s.a, 3, s.out, s.scratch);
    ck_assert_double_eq_tol(s.out[1], 2, 1e-14);
    ck_assert_double_eq_tol(s.out[2], 3 + 2 * 4 / 2.0, 1e-14);
    ck_assert_double_eq_tol(s.out[5], 4, 1e-14);
    ck_assert_double_eq(s.out[3], 0);
}
END_TEST

START_TEST(skew_matrices_become_rotations_that_their_negatives_undo)
{
    for (size_t n = 1; n <= MOST; n += 5) {
        struct sample s;
        double bound;

        draw_skew(s.a, n, 3);
        bound = 3 * (double)(n * n) * (1 + matrix_norm(s.a, n)) * 0x1p-48;
        matrix_exponential(s.a, n, s.out, s.scratch);
        for (size_t i = 0; i < n * n; i++)
            s.a[i] = -s.a[i];
        matrix_exponential(s.a, n, s.back, s.scratch);
        matrix_product(s.out, s.back, n, s.product);
        expect_unit(s.product, n, bound);
        for (size_t i = 0; i < n * n; i++) /* the inverse is the transpose */
            ck_assert_double_le(fabs(s.back[i] - s.out[i % n * n + i / n]), bound);
    }
}
END_TEST

START_TEST(cayley_gives_orthogonal_matrices)
{
    for (size_t n = 1; n <= MOST; n += 5) {
        struct sample s;

        draw_skew(s.a, n, 3);
        ck_assert(matrix_cayley(s.a, n, s.out, s.scratch));
        for (size_t i = 0; i < n * n; i++)
            s.back[i] = s.out[i % n * n + i / n];
        matrix_product(s.out, s.back, n, s.product);
        expect_unit(s.product, n, 1e-12);
    }
}
END_TEST

/* (1 - i t)/(1 + i t) turns by -2 atan t. */
START_TEST(cayley_of_the_plane_turns_by_twice_the_arc)
{
    struct sample s;

    memcpy(s.a, (double[]){0, 1, -1, 0}, 4 * sizeof(double));
    ck_assert(matrix_cayley(s.a, 2, s.out, s.scratch));
    ck_assert_double_eq_tol(s.out[0], 0, 1e-15);
    ck_assert_double_eq_tol(s.out[1], -1, 1e-15);
    memcpy(s.a, (double[]){-1, 0, 0, 0}, 4 * sizeof(double));
    ck_assert(!matrix_cayley(s.a, 2, s.out, s.scratch));
}
END_TEST

SUITE(matrix, TEST(a_generator_of_the_plane_turns_by_its_angle),
      TEST(a_nilpotent_matrix_has_a_polynomial_for_exponential),
      TEST(skew_matrices_become_rotations_that_their_negatives_undo),
      TEST(cayley_gives_orthogonal_matrices), TEST(cayley_of_the_plane_turns_by_twice_the_arc));
