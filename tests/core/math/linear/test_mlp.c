/* SPDX-License-Identifier: Apache-2.0
 * test_mlp.c - layers of small networks: sums of two doubles, layer norm, SiLU and the logistic
 * function against MPFR; weights that do not fit are refused. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "core/math/linear/mlp.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

enum { DRAWS = 2000, BITS = 200 };

#define REALS(ROWS, COLS, ...) ((struct pe_reals){(const double[]){__VA_ARGS__}, ROWS, COLS})
static const struct pe_reals none = {NULL, 0, 0};

START_TEST(a_layer_is_a_matrix_and_a_bias_and_loses_nothing)
{
    const struct pe_reals weights = REALS(2, 3, 1, 0x1p60, -1, 2, 3, 4);
    const struct pe_reals bias = REALS(1, 2, -0x1p60, 0.5);
    const struct dd in[] = {{0x1p-30, 0}, {1, 0}, {0, 0}};
    struct dd out[2];

    mlp_layer(&weights, &bias, in, out);
    ck_assert(out[0].hi == 0x1p-30 && out[0].lo == 0);
    ck_assert(out[1].hi == 3.5 + 0x1p-29);
    mlp_layer(&weights, &none, in, out);
    ck_assert(out[0].hi == 0x1p60 && out[0].lo == 0x1p-30);
}
END_TEST

START_TEST(what_is_below_zero_is_bent)
{
    struct dd x[] = {{-1, 0}, {0, 0}, {2, 0x1p-60}};

    mlp_relu(x, 3);
    ck_assert(x[0].hi == 0 && x[1].hi == 0 && x[2].hi == 2 && x[2].lo == 0x1p-60);
}
END_TEST

/* Mean 2, variance 2/3 + 1e-5: a number away from the mean by 1 becomes its root's inverse. */
START_TEST(layer_norm_has_mean_zero_and_variance_one)
{
    const struct pe_reals weight = REALS(1, 3, 1, 1, 10), bias = REALS(1, 3, 0, 5, -1);
    struct dd x[] = {{1, 0}, {2, 0}, {3, 0}}, y[3];

    memcpy(y, x, sizeof x);
    mlp_normalise(x, 3, &none, &none);
    ck_assert_double_eq(x[2].hi, 1.224735685908390169);
    ck_assert(x[1].hi == 0 && x[0].hi == -x[2].hi && x[0].lo == -x[2].lo);
    mlp_normalise(y, 3, &weight, &bias);
    ck_assert(y[0].hi == x[0].hi && y[1].hi == 5);
    ck_assert_double_eq(y[2].hi, 11.24735685908390169);
}
END_TEST

/* x^power / (1 + exp(-x)), and how far `got` is from it, relatively. */
static double error_of(double x, bool times_x, struct dd got)
{
    mpfr_t want, part;
    double error;

    mpfr_inits2(BITS, want, part, (mpfr_ptr)0);
    mpfr_set_d(part, -x, MPFR_RNDN);
    mpfr_exp(part, part, MPFR_RNDN);
    mpfr_add_ui(part, part, 1, MPFR_RNDN);
    mpfr_set_d(want, times_x ? x : 1, MPFR_RNDN);
    mpfr_div(want, want, part, MPFR_RNDN);
    mpfr_set_d(part, got.hi, MPFR_RNDN);
    mpfr_add_d(part, part, got.lo, MPFR_RNDN);
    mpfr_reldiff(part, want, part, MPFR_RNDN);
    error = fabs(mpfr_get_d(part, MPFR_RNDN));
    mpfr_clears(want, part, (mpfr_ptr)0);
    return error;
}

START_TEST(silu_and_shares_keep_more_than_a_double)
{
    struct core_random random = {11};

    for (int i = 0; i < DRAWS; i++) {
        const double x = core_random_real(&random, -600, 600) * (i % 3 == 0 ? 0.01 : 1);
        struct dd silu = {x, 0};

        mlp_silu(&silu, 1);
        ck_assert_double_lt(error_of(x, true, silu), 0x1p-55);
        ck_assert_double_lt(error_of(x, false, mlp_share((struct dd){x, 0})), 0x1p-55);
        ck_assert_double_lt(
            error_of(x, false, (struct dd){mlp_sigmoid(1, (struct dd){x, 0}), 0}),
            0.51 * 0x1p-52);
    }
}
END_TEST

START_TEST(shares_end_at_zero_and_one)
{
    ck_assert(mlp_share((struct dd){0, 0}).hi == 0.5);
    ck_assert(mlp_share((struct dd){INFINITY, 0}).hi == 1);
    ck_assert(mlp_share((struct dd){-INFINITY, 0}).hi == 0);
    ck_assert(isnan(mlp_share((struct dd){NAN, 0}).hi));
    ck_assert(mlp_sigmoid(16, (struct dd){800, 0}) == 16);
}
END_TEST

/* The example of Wang et al.'s DAPE: hidden .75 and -1.1 times 0.01. */
START_TEST(two_layers_with_a_slope_are_a_network)
{
    const struct pe_reals w1 = REALS(2, 2, 1, 0.5, -1, 0.2), b1 = none;
    const struct pe_reals w2 = REALS(1, 2, 0.3, -0.2), b2 = REALS(1, 1, 0.05);
    const struct mlp mlp = {&w1, &b1, &w2, &b2, 0.01};
    const struct dd in[] = {{1, 0}, {-0.5, 0}};

    ck_assert_uint_eq(mlp_units(&mlp, 2), 2);
    ck_assert_double_eq(mlp_unit(&mlp, 0, in, 2).hi, 0.75);
    ck_assert_double_eq_tol(mlp_unit(&mlp, 1, in, 2).hi, -0.011, 1e-17);
    ck_assert_double_eq_tol(mlp_answer(&mlp, 0, in, 2).hi, 0.2772, 1e-16);
}
END_TEST

static void refused(struct mlp mlp, const char *parameter)
{
    struct pe_errors errors = {.count = 0};

    ck_assert_int_ne(mlp_check(&mlp, 2, "dy and dx", &errors), PE_OK);
    ck_assert_str_eq(errors.at[0].parameter, parameter);
}

START_TEST(weights_that_do_not_fit_are_refused)
{
    const struct pe_reals w1 = REALS(2, 2, 1, 2, 3, 4), w2 = REALS(1, 2, 5, 6);
    const struct pe_reals three = REALS(1, 3, 1, 2, 3), many = {w1.values, 16385, 2};
    const struct mlp right = {&w1, &none, &w2, &none, 0};
    struct pe_errors errors = {.count = 0};

    ck_assert_int_eq(mlp_check(&right, 2, "dy and dx", &errors), PE_OK);
    refused((struct mlp){&three, &none, &w2, &none, 0}, "w1");
    refused((struct mlp){&many, &none, &w2, &none, 0}, "w1");
    refused((struct mlp){&w1, &three, &w2, &none, 0}, "b1");
    refused((struct mlp){&w1, &none, &three, &none, 0}, "w2");
    refused((struct mlp){&w1, &none, &w2, &three, 0}, "b2");
}
END_TEST

SUITE(mlp, TEST(a_layer_is_a_matrix_and_a_bias_and_loses_nothing),
      TEST(what_is_below_zero_is_bent), TEST(layer_norm_has_mean_zero_and_variance_one),
      TEST(silu_and_shares_keep_more_than_a_double), TEST(shares_end_at_zero_and_one),
      TEST(two_layers_with_a_slope_are_a_network), TEST(weights_that_do_not_fit_are_refused));
