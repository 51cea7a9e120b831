/* SPDX-License-Identifier: Apache-2.0
 * test_sinusoidal_similarity.c - rows compared: the values are what the rows themselves
 * give. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(similarity_is_even_in_the_distance_and_scales_with_the_square)
{
    double *plus =
        core_query_values("sinusoidal", "dim=32&out=similarity&distance=3,0.5,9e15&dtype=f64",
                          "similarity", NULL);
    double *minus = core_query_values("sinusoidal",
                                      "dim=32&out=similarity&distance=-3,-0.5,-9e15&dtype=f64",
                                      "similarity", NULL);
    double *louder = core_query_values(
        "sinusoidal", "dim=32&out=similarity&distance=3,0.5,9e15&amplitude=4&dtype=f64",
        "similarity", NULL);

    for (size_t i = 0; i < 3; i++) {
        ck_assert(plus[i] == minus[i]);
        ck_assert(louder[i] == 16 * plus[i]);
    }
    free(plus);
    free(minus);
    free(louder);
}
END_TEST

/* Computes the similarity of every two of these positions from their rows. Most of the
 * differences are no doubles; two positions are further apart than 2^53. */
static const char positions[] =
    "pos=0,1,-7,0.3,1000000.1,123456789.123,9007199254740991,-9007199254740992";
enum { POSITIONS = 8 };

static const char *const variants[] = {
    "dim=32",
    "dim=64&ladder=closed",
    "dim=33&odd=zero-pad&amplitude=3",
    "dim=32&base=3&scale=0.3&amplitude=unit-rows",
    "dim=2",
};

static void compare(const char *variant, const char *measure,
                    double (*expected)(double, double, double), double within)
{
    char query[300];
    double *rows, *matrix;
    size_t count, dim;

    snprintf(query, sizeof query, "%s&%s&dtype=f64", variant, positions);
    rows = core_query_values("sinusoidal", query, "rows", &count);
    dim = count / POSITIONS;
    snprintf(query, sizeof query, "%s&%s&out=similarity_matrix&measure=%s&dtype=f64", variant,
             positions, measure);
    matrix = core_query_values("sinusoidal", query, "similarity_matrix", NULL);
    for (size_t i = 0; i < POSITIONS * POSITIONS; i++) {
        const double *p = rows + i / POSITIONS * dim, *q = rows + i % POSITIONS * dim;
        double product = 0, square = 0, chord = 0;

        for (size_t j = 0; j < dim; j++) {
            product += p[j] * q[j];
            square += p[j] * p[j];
            chord += (p[j] - q[j]) * (p[j] - q[j]);
        }
        ck_assert_msg(fabs(matrix[i] - expected(product, square, chord)) <= within * square,
                      "%s: %s %zu: %.17g, not %.17g", variant, measure, i, matrix[i],
                      expected(product, square, chord));
    }
    free(rows);
    free(matrix);
}

static double raw(double product, double square, double chord)
{
    return product;
}

static double cosine(double product, double square, double chord)
{
    return product / square;
}

static double euclidean(double product, double square, double chord)
{
    return sqrt(chord);
}

START_TEST(the_similarity_matrix_agrees_with_the_rows)
{
    compare(variants[_i], "raw", raw, 0x1p-46);
    compare(variants[_i], "cosine", cosine, 0x1p-46);
    compare(variants[_i], "euclidean", euclidean, 0x1p-46);
}
END_TEST

START_TEST(distances_and_positions_agree)
{
    double *vector = core_query_values(
        "sinusoidal", "dim=24&out=similarity&distance=0:6&dtype=f64", "similarity", NULL);
    double *matrix =
        core_query_values("sinusoidal", "dim=24&out=similarity_matrix&pos=100:106&dtype=f64",
                          "similarity_matrix", NULL);

    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            ck_assert(matrix[i * 6 + j] == vector[i > j ? i - j : j - i]);
    free(vector);
    free(matrix);
}
END_TEST

START_TEST(work_beyond_the_limit_is_refused)
{
    static const char *const queries[] = {
        "dim=65536&distance=0:513&out=similarity",
        "dim=512&distance=0:9007199254740992&out=similarity",
        "dim=1024&pos=0:800&out=similarity_matrix",
    };
    const struct pe_encoding *enc = core_query_find("sinusoidal");

    for (size_t i = 0; i < PE_LEN(queries); i++) {
        struct pe_errors errors = {.count = 0};
        struct pe_args *args;

        ck_assert_int_eq(core_query_args(&args, enc, queries[i], &errors), PE_TOO_LARGE);
        ck_assert_str_eq(errors.at[0].parameter, "");
        ck_assert_uint_eq(errors.at[0].limit, 1 << 24);
        ck_assert_uint_gt(errors.at[0].requested, 1 << 24);
        pe_args_free(args);
    }
    pe_args_free(core_query_checked(enc, "dim=65536&distance=0:512&out=similarity"));
}
END_TEST

SUITE(sinusoidal_similarity,
      TEST(similarity_is_even_in_the_distance_and_scales_with_the_square),
      TEST_EACH(the_similarity_matrix_agrees_with_the_rows, variants),
      TEST(distances_and_positions_agree), TEST(work_beyond_the_limit_is_refused));
