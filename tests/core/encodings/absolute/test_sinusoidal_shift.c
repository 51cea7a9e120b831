/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal_shift.c - the matrix M with PE(p+k) = M PE(p): what it does to rows in every
 * layout, and that it is a rotation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

enum { DIM = 12, PADDED = 13 };

/* Returns the matrix of this width and shift, with its columns in the order of `columns`. */
static double *matrix_of(double shift, int dim, const char *columns)
{
    char query[300];
    size_t count;
    double *matrix;

    snprintf(query, sizeof query, "dim=%d&%s&out=shift&shift=%.17g&dtype=f64", dim, columns,
             shift);
    matrix = core_query_values("sinusoidal", query, "shift", &count);
    ck_assert_uint_eq(count, (size_t)(dim * dim));
    return matrix;
}

static double *row_of(double position, int dim, const char *columns)
{
    char query[300];

    snprintf(query, sizeof query, "dim=%d&%s&pos=%.17g&dtype=f64", dim, columns, position);
    return core_query_values("sinusoidal", query, "rows", NULL);
}

static const char *const columns[] = {
    "layout=interleaved",   "layout=interleaved-cs", "layout=concat",
    "layout=concat-cs",     "ladder=closed",         "ladder=closed&layout=concat&base=77.5",
    "scale=0.125&base=500", "min_timescale=3",
};

START_TEST(the_matrix_moves_a_row_by_its_shift)
{
    static const double shifts[] = {1, -7, 0, 0.375, 123456, 0x1p40};
    static const double positions[] = {0, 1, -3.5, 4096, 1e6};

    for (size_t i = 0; i < PE_LEN(shifts); i++) {
        double *matrix = matrix_of(shifts[i], DIM, columns[_i]);

        for (size_t j = 0; j < PE_LEN(positions); j++) {
            double *from = row_of(positions[j], DIM, columns[_i]);
            double *to = row_of(positions[j] + shifts[i], DIM, columns[_i]);

            for (size_t row = 0; row < DIM; row++) {
                double moved = 0;

                for (size_t col = 0; col < DIM; col++)
                    moved += matrix[row * DIM + col] * from[col];
                ck_assert_msg(fabs(moved - to[row]) < 1e-15,
                              "%s: %g from %g, column %zu: %.17g", columns[_i], shifts[i],
                              positions[j], row, moved - to[row]);
            }
            free(from);
            free(to);
        }
        free(matrix);
    }
}
END_TEST

START_TEST(padding_stays_zero_under_the_matrix)
{
    double *matrix = matrix_of(5, PADDED, "odd=zero-pad&layout=concat");
    double *from = row_of(2, PADDED, "odd=zero-pad&layout=concat");
    double *to = row_of(7, PADDED, "odd=zero-pad&layout=concat");

    for (size_t row = 0; row < PADDED; row++) {
        double moved = 0;

        for (size_t col = 0; col < PADDED; col++)
            moved += matrix[row * PADDED + col] * from[col];
        ck_assert_double_eq_tol(moved, to[row], 1e-15);
    }
    for (size_t i = 0; i < PADDED; i++)
        ck_assert(matrix[i * PADDED + DIM] == 0 && matrix[DIM * PADDED + i] == 0);
    free(matrix);
    free(from);
    free(to);
}
END_TEST

START_TEST(matrices_compose_and_their_inverse_is_the_transpose)
{
    double *a = matrix_of(3, DIM, columns[_i]), *b = matrix_of(-11.25, DIM, columns[_i]);
    double *sum = matrix_of(3 - 11.25, DIM, columns[_i]);
    double *back = matrix_of(-3, DIM, columns[_i]);

    for (size_t row = 0; row < DIM; row++) {
        for (size_t col = 0; col < DIM; col++) {
            double product = 0;

            for (size_t i = 0; i < DIM; i++)
                product += a[row * DIM + i] * b[i * DIM + col];
            ck_assert_double_eq_tol(product, sum[row * DIM + col], 1e-15);
            ck_assert(back[row * DIM + col] == a[col * DIM + row]);
        }
    }
    free(a);
    free(b);
    free(sum);
    free(back);
}
END_TEST

SUITE(sinusoidal_shift, TEST_EACH(the_matrix_moves_a_row_by_its_shift, columns),
      TEST(padding_stays_zero_under_the_matrix),
      TEST_EACH(matrices_compose_and_their_inverse_is_the_transpose, columns));
