/* SPDX-License-Identifier: Apache-2.0
 * test_hierarchy.c - rows beyond a table against the formula in MPFR. */
#include <math.h>
#include <mpfr.h>

#include "core/math/hierarchy.h"
#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { ROWS = 5, DIM = 150, BITS = 400 }; /* wider than the piece that is kept on the stack */

/* alpha u[i] + (1 - alpha) u[j], u[k] = (E[k] - alpha E[0]) / (1 - alpha) */
static double formula(double alpha, double first, double high, double low, double got)
{
    mpfr_t u, v, weight;
    double error;

    mpfr_inits2(BITS, u, v, weight, (mpfr_ptr)0);
    mpfr_set_d(u, -first, MPFR_RNDN);
    mpfr_mul_d(u, u, alpha, MPFR_RNDN);
    mpfr_add_d(v, u, low, MPFR_RNDN); /* (1 - alpha) u[j] */
    mpfr_add_d(u, u, high, MPFR_RNDN);
    mpfr_set_d(weight, 1, MPFR_RNDN);
    mpfr_sub_d(weight, weight, alpha, MPFR_RNDN);
    mpfr_div(u, u, weight, MPFR_RNDN);
    mpfr_mul_d(u, u, alpha, MPFR_RNDN);
    mpfr_add(u, u, v, MPFR_RNDN);
    error = mpfr_get_d(u, MPFR_RNDN);
    mpfr_sub_d(u, u, got, MPFR_RNDN);
    error = fabs(mpfr_get_d(u, MPFR_RNDN)) / core_query_ulp(PE_F64, error);
    mpfr_clears(u, v, weight, (mpfr_ptr)0);
    return error;
}

START_TEST(rows_beyond_the_table_are_the_formula_rounded_once)
{
    static const double alphas[] = {0.4, 1e-9, 0.75, 0.999};
    const struct pe_tensor tensor = {.dtype = PE_F64, .rank = 2, .dims = {ROWS, DIM}};
    struct core_random random = {5};
    static double table[ROWS][DIM];
    double row[DIM];

    for (size_t i = 0; i < (size_t)ROWS * DIM; i++)
        table[i / DIM][i % DIM] = core_random_real(&random, -3, 3);
    for (size_t a = 0; a < 4; a++) {
        for (uint64_t k = 0; k < (uint64_t)ROWS * ROWS; k++) {
            hierarchy_row(hierarchy_gain(alphas[a]), &tensor, table, k, 0, DIM, row);
            for (size_t i = 0; i < DIM; i++) {
                const double *high = table[k / ROWS], *low = table[k % ROWS];

                ck_assert_double_le(formula(alphas[a], table[0][i], high[i], low[i], row[i]),
                                    0.5001);
                ck_assert(k >= ROWS || row[i] == low[i]);
            }
        }
    }
}
END_TEST

START_TEST(so_many_rows_are_reached)
{
    ck_assert_uint_eq(hierarchy_rows(512), 262144);
    ck_assert_uint_eq(hierarchy_rows(UINT64_C(1) << 40), UINT64_C(1) << 53);
}
END_TEST

SUITE(hierarchy, TEST(rows_beyond_the_table_are_the_formula_rounded_once),
      TEST(so_many_rows_are_reached));
