/* SPDX-License-Identifier: Apache-2.0
 * test_alibi_forms.c - every form of the bias against its line in the catalogue, and what
 * attention makes of them: softmax sees no difference between the causal ones. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* ---- values -------------------------------------------------------------------------- */

typedef double form_value(double slope, double q, double k);

static double symmetric(double slope, double q, double k)
{
    return -slope * fabs(q - k);
}

static double distance(double slope, double q, double k)
{
    return -slope * (q - k);
}

static double key_index(double slope, double q, double k)
{
    return slope * k;
}

static double last_query(double slope, double q, double k)
{
    return slope * (k - 7); /* the last key of the tests below */
}

static double tril(double slope, double q, double k)
{
    return k <= q ? -slope * (q - k) : 0;
}

static double root(double slope, double q, double k)
{
    return -slope * sqrt(fabs(q - k));
}

static double two_sided(double slope, double q, double k)
{
    return k <= q ? -slope * (q - k) : -2 * slope * (k - q);
}

static const struct {
    const char *form;
    form_value *value;
} forms[] = {
    {"symmetric", symmetric},
    {"distance", distance},
    {"signed", distance},
    {"key-index", key_index},
    {"last-query", last_query},
    {"tril", tril},
    {"sqrt", root},
    {"two-sided&slopes_left=.5,.125&slopes_right=1,.25", two_sided},
};
static const double slopes[] = {0.5, 0.125};
enum { QUERIES = 6, KEYS = 8 };

/* Returns the matrix of two heads with these slopes, queries 2:8 and keys 0:8. */
static double *matrix_of(const char *form, const char *more)
{
    char query[300];

    snprintf(query, sizeof query, "heads=2&%s&q=2:8&k=0:8&distance_kind=%s&dtype=f64%s",
             strstr(form, "slopes_left") ? "applies=after_scale" : "slopes=.5,.125", form,
             more);
    return core_query_values("alibi", query, "bias", NULL);
}

START_TEST(every_form_is_its_line_in_the_catalogue)
{
    double *bias = matrix_of(forms[_i].form, "");

    for (size_t i = 0; i < (size_t)2 * QUERIES * KEYS; i++) {
        double q = (double)(i / KEYS % QUERIES) + 2, k = (double)(i % KEYS);
        double value = forms[_i].value(slopes[i / KEYS / QUERIES], q, k);

        ck_assert_msg(fabs(bias[i] - value) <= core_query_ulp(PE_F64, value),
                      "%s: q %g, k %g: %g", forms[_i].form, q, k, bias[i]);
    }
    free(bias);
}
END_TEST

START_TEST(causal_masks_the_future_in_every_form)
{
    double *bias = matrix_of(forms[_i].form, "");
    double *causal = matrix_of(forms[_i].form, "&causal=1&mask_value=-99");
    double *zero = matrix_of(forms[_i].form, "&causal=1&future=zero");

    for (size_t i = 0; i < (size_t)2 * QUERIES * KEYS; i++) {
        double q = (double)(i / KEYS % QUERIES) + 2, k = (double)(i % KEYS);

        if (k <= q) {
            ck_assert(causal[i] == bias[i] && zero[i] == bias[i]);
            continue;
        }
        ck_assert(causal[i] == -99);
        /* the form's value at distance 0 */
        ck_assert(zero[i] == forms[_i].value(slopes[i / KEYS / QUERIES], q, q));
    }
    free(bias);
    free(causal);
    free(zero);
}
END_TEST

/* Two rows that differ by a constant give equal attention. */
static const char *const equals[] = {"symmetric", "distance",   "signed",
                                     "key-index", "last-query", "tril"};

START_TEST(causal_forms_are_equal_to_softmax)
{
    double *one = matrix_of("distance", "&causal=1&mask_value=-inf");
    double *other = matrix_of(equals[_i], "&causal=1&mask_value=-inf");

    for (size_t row = 0; row < (size_t)2 * QUERIES; row++) {
        double constant = other[row * KEYS] - one[row * KEYS];

        for (size_t col = 0; col < KEYS; col++) {
            size_t i = row * KEYS + col;

            ck_assert(isinf(one[i]) ? isinf(other[i]) : other[i] - one[i] == constant);
        }
    }
    free(one);
    free(other);
}
END_TEST

START_TEST(asymmetric_heads_see_one_side_each)
{
    double *bias = core_query_values(
        "alibi", "heads=4&q=5:8&k=4:9&distance_kind=asymmetric&mask_value=-inf&dtype=f64",
        "bias", NULL);

    for (size_t i = 0; i < 60; i++) {
        double d = (double)(i / 5 % 3) + 5 - ((double)(i % 5) + 4);
        size_t head = i / 15;
        double slope = head % 2 == 0 ? 0x1p-4 : 0x1p-8; /* of two heads, twice */
        bool sees = head < 2 ? d >= 0 : d <= 0;

        ck_assert(bias[i] == (sees ? -slope * fabs(d) : -INFINITY));
    }
    free(bias);
}
END_TEST

/* ---- without queries, padded, on grids ----------------------------------------------- */

START_TEST(grids_measure_between_patches)
{
    enum { HEIGHT = 3, WIDTH = 4, PATCHES = HEIGHT * WIDTH };
    double *manhattan = core_query_values(
        "alibi", "heads=1&slopes=.5&grid=3x4&distance_kind=manhattan&dtype=f64", "bias", NULL);
    double *euclidean = core_query_values(
        "alibi", "heads=1&slopes=.5&grid=3x4&distance_kind=euclidean&q=0:12&k=0:12&dtype=f64",
        "bias", NULL);

    for (int i = 0; i < PATCHES * PATCHES; i++) {
        int q = i / PATCHES, k = i % PATCHES;
        double dy = q / WIDTH - k / WIDTH, dx = q % WIDTH - k % WIDTH;

        ck_assert(manhattan[i] == -0.5 * (fabs(dy) + fabs(dx)));
        ck_assert_double_eq_tol(euclidean[i], -0.5 * sqrt(dy * dy + dx * dx), 0x1p-53);
    }
    free(manhattan);
    free(euclidean);
}
END_TEST

START_TEST(far_distances_are_rounded_once)
{
    double *bias = core_query_values(
        "alibi", "heads=3&q=9007199254740991&k=0,-1&non_pow2=geometric&dtype=f64", "bias",
        NULL);

    for (int h = 0; h < 3; h++) {
        long double slope = exp2l(-8.0L * (h + 1) / 3);

        for (int i = 0; i < 2; i++) {
            long double value = -slope * (9007199254740991.0L + i);

            ck_assert(fabsl(bias[2 * h + i] - value) <=
                      0.51L * core_query_ulp(PE_F64, (double)value));
        }
    }
    free(bias);
}
END_TEST

SUITE(alibi_forms, TEST_EACH(every_form_is_its_line_in_the_catalogue, forms),
      TEST_EACH(causal_masks_the_future_in_every_form, forms),
      TEST_EACH(causal_forms_are_equal_to_softmax, equals),
      TEST(asymmetric_heads_see_one_side_each), TEST(grids_measure_between_patches),
      TEST(far_distances_are_rounded_once));
