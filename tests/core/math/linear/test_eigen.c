/* SPDX-License-Identifier: Apache-2.0
 * test_eigen.c - eigenvalues that are known, and what the header promises of any matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/linear/eigen.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { MOST = 48 };

static void solve(double *matrix, size_t n, double *values, double *vectors)
{
    double *scratch = malloc(eigen_scratch(n) * sizeof *scratch);

    ck_assert_ptr_nonnull(scratch);
    ck_assert(eigen_symmetric(matrix, n, values, vectors, scratch, NULL));
    free(scratch);
}

/* A path of n nodes: 2 - 2 cos(pi k / n) are its Laplacian's eigenvalues. */
START_TEST(a_path_has_the_eigenvalues_of_its_cosines)
{
    const size_t n = (size_t)_i;
    double matrix[MOST * MOST] = {0}, values[MOST], vectors[MOST * MOST];

    for (size_t i = 0; i + 1 < n; i++) {
        matrix[i * n + i] += 1;
        matrix[(i + 1) * n + i + 1] += 1;
        matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = -1;
    }
    solve(matrix, n, values, vectors);
    for (size_t k = 0; k < n; k++)
        ck_assert_double_eq_tol(values[k], 2 - 2 * cos(M_PI * (double)k / (double)n), 1e-13);
}
END_TEST

/* Largest |M v - value v| of row `number`. */
static double residual(const double *matrix, size_t n, double value, const double *vector)
{
    double most = 0;

    for (size_t i = 0; i < n; i++) {
        double sum = -value * vector[i];

        for (size_t j = 0; j < n; j++)
            sum += matrix[i * n + j] * vector[j];
        most = fmax(most, fabs(sum));
    }
    return most;
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Checks all that eigen.h promises of a matrix. */
static void check_solution(double *matrix, size_t n)
{
    double kept[MOST * MOST], values[MOST], vectors[MOST * MOST], most;

    memcpy(kept, matrix, n * n * sizeof *kept);
    solve(matrix, n, values, vectors);
    most = fmax(fabs(values[0]), fabs(values[n - 1]));
    for (size_t i = 0; i < n; i++) {
        ck_assert(i == 0 || values[i - 1] <= values[i]);
        ck_assert_double_le(residual(kept, n, values[i], vectors + i * n), 1e-13 * most);
        for (size_t j = 0; j <= i; j++)
            ck_assert_double_eq_tol(product(vectors + i * n, vectors + j * n, n), i == j,
                                    1e-13);
    }
}

START_TEST(vectors_solve_the_equation_and_are_orthonormal)
{
    struct core_random random = {(uint64_t)_i};
    const size_t n = (size_t)core_random_whole(&random, 1, MOST);
    double matrix[MOST * MOST];

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            matrix[i * n + j] = matrix[j * n + i] = core_random_real(&random, -5, 5);
    check_solution(matrix, n);
}
END_TEST

/* Elements off the diagonal are 2^-_i, whose squares underflow for the last _i. */
START_TEST(what_is_next_to_nothing_off_the_diagonal_is_nothing)
{
    const size_t n = 6;
    double matrix[MOST * MOST] = {0};

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = i == j ? 1 : (i + j) % 3 == 0 ? ldexp(1, -_i) : 0;
    check_solution(matrix, n);
}
END_TEST

/* Cliques of _i nodes each, with edges of 1e-6, 1 or 1e6: every value but 0 many times. */
START_TEST(repeated_values_of_a_matrix_in_pieces_have_vectors_too)
{
    const size_t n = MOST, size = (size_t)_i;
    double matrix[MOST * MOST] = {0};

    for (size_t i = 0; i < n; i++) {
        static const double weights[] = {1e-6, 1, 1e6};
        const size_t clique = i / size;
        const double weight = weights[clique % 3];

        for (size_t j = clique * size; j < n && j < (clique + 1) * size; j++) {
            matrix[i * n + j] -= weight;
            matrix[i * n + i] += weight;
        }
    }
    check_solution(matrix, n);
}
END_TEST

START_TEST(a_diagonal_is_sorted_and_nothing_else)
{
    double matrix[] = {3, 0, 0, 0, -1, 0, 0, 0, 2}, values[3], vectors[9];
    static const double sorted[] = {-1, 2, 3};

    solve(matrix, 3, values, vectors);
    ck_assert_mem_eq(values, sorted, sizeof sorted);
    for (size_t i = 0; i < 3; i++) {
        static const size_t at[] = {1, 2, 0};

        ck_assert_double_eq(fabs(vectors[i * 3 + at[i]]), 1);
    }
}
END_TEST

/* The vectors of 3 n^2 / 4 rotations or so, which are done in several batches. */
START_TEST(every_cpu_path_gives_the_same_bits)
{
    const size_t n = (size_t)_i, before = pe_cpu_path();
    double *memory = malloc((4 * n * n + n) * sizeof *memory);
    double *kept = memory, *matrix = kept + n * n, *values = matrix + n * n;
    double *vectors = values + n, *first = vectors + n * n;
    struct core_random random = {(uint64_t)_i};

    ck_assert_ptr_nonnull(memory);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            kept[i * n + j] = kept[j * n + i] = core_random_real(&random, -5, 5);
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path))
            continue;
        memcpy(matrix, kept, n * n * sizeof *matrix);
        solve(matrix, n, values, vectors);
        if (path == 0)
            memcpy(first, vectors, n * n * sizeof *first);
        ck_assert_mem_eq(vectors, first, n * n * sizeof *first);
        for (size_t i = 0; i < n; i++)
            ck_assert_double_le(residual(kept, n, values[i], vectors + i * n), 1e-11);
    }
    ck_assert(pe_cpu_path_set(before));
    free(memory);
}
END_TEST

SUITE(eigen, TEST_RANGE(a_path_has_the_eigenvalues_of_its_cosines, 1, 20),
      TEST_RANGE(vectors_solve_the_equation_and_are_orthonormal, 0, 12),
      TEST_RANGE(repeated_values_of_a_matrix_in_pieces_have_vectors_too, 1, MOST),
      TEST_RANGE(what_is_next_to_nothing_off_the_diagonal_is_nothing, 440, 545),
      TEST_RANGE(every_cpu_path_gives_the_same_bits, 168, 171),
      TEST(a_diagonal_is_sorted_and_nothing_else));
