/* SPDX-License-Identifier: Apache-2.0
 * test_rope_matrix.c - RoPE as matrices: they rotate as the pairing says, leave the rest of a
 * head alone, and are rotations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* Multiplies the matrix of one position by the vector 1, 2, ..., dim. */
static void rotate(const char *query, size_t dim, double *rotated)
{
    char asked[200];
    size_t count;
    double *matrix;

    snprintf(asked, sizeof asked, "%s&out=matrix&dtype=f64", query);
    matrix = core_query_values("rope", asked, "matrix", &count);
    ck_assert_uint_eq(count, dim * dim);
    for (size_t row = 0; row < dim; row++) {
        rotated[row] = 0;
        for (size_t col = 0; col < dim; col++)
            rotated[row] += matrix[row * dim + col] * (double)(col + 1);
    }
    free(matrix);
}

static const struct {
    const char *query;
    double rotated[4];
} known[] = {
    /* x = 1, 2, 3, 4; theta 1e4 */
    {"pos=1&dim=4&pairing=adjacent", {-1.1426397, 1.9220756, 2.9598507, 4.0297995}},
    {"pos=1&dim=4", {-1.9841106, 1.9599007, 2.4623779, 4.0197997}},
    {"pos=3&dim=4&pairing=adjacent", {-1.2722325, -1.8388650, 2.8786681, 4.0881866}},
    {"pos=3&dim=4&pairing=half", {-1.4133525, 1.8791181, -2.8288575, 4.0581911}},
    {"pos=0&dim=4", {1, 2, 3, 4}},
    {"pos=1&dim=4&rotary_dim=2", {-1.1426397, 1.9220756, 3, 4}},
};

START_TEST(published_rotations_are_served)
{
    double rotated[4];

    rotate(known[_i].query, 4, rotated);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(rotated[i], known[_i].rotated[i], 0.5e-7);
}
END_TEST

static const char *const queries[] = {
    "dim=12",
    "dim=12&pairing=adjacent",
    "dim=12&rotary_dim=8",
    "dim=12&rotary_dim=8&pairing=adjacent&base=77",
    "dim=12&scaling=linear&factor=3.5",
};
enum { DIM = 12 };

static double *matrices(const char *query, const char *positions)
{
    char asked[200];

    snprintf(asked, sizeof asked, "%s&pos=%s&out=matrix&dtype=f64", query, positions);
    return core_query_values("rope", asked, "matrix", NULL);
}

START_TEST(a_matrix_is_orthogonal_and_its_inverse_undoes_it)
{
    double *m = matrices(queries[_i], "77,-77,9007199254740991,-9007199254740991");

    for (size_t p = 0; p < 4; p += 2) {
        const double *forth = m + p * DIM * DIM, *back = forth + DIM * DIM;

        for (size_t row = 0; row < DIM; row++) {
            for (size_t col = 0; col < DIM; col++) {
                double product = 0;

                for (size_t i = 0; i < DIM; i++)
                    product += forth[row * DIM + i] * forth[col * DIM + i];
                ck_assert_double_eq_tol(product, row == col, 0x1p-51);
                ck_assert(back[row * DIM + col] == forth[col * DIM + row]);
            }
        }
    }
    free(m);
}
END_TEST

START_TEST(matrices_of_two_positions_make_that_of_their_sum)
{
    double *m = matrices(queries[_i], "5,1000,1005");

    for (size_t row = 0; row < DIM; row++) {
        for (size_t col = 0; col < DIM; col++) {
            double product = 0;

            for (size_t i = 0; i < DIM; i++)
                product += m[row * DIM + i] * m[DIM * DIM + i * DIM + col];
            ck_assert_double_eq_tol(product, m[2 * DIM * DIM + row * DIM + col], 4e-16);
        }
    }
    free(m);
}
END_TEST

/* Each entry is the cosine, sine, negative sine, 0 or 1 that the pairing puts there. */
START_TEST(entries_are_the_tables_in_their_places)
{
    bool adjacent = strstr(queries[_i], "adjacent") != NULL;
    size_t pairs = strstr(queries[_i], "rotary_dim") ? 4 : 6;
    double *m = matrices(queries[_i], "31"), *cosine, *sine;
    char asked[200];

    snprintf(asked, sizeof asked, "%s&pos=31&dtype=f64", queries[_i]);
    cosine = core_query_values("rope", asked, "cos", NULL);
    sine = core_query_values("rope", asked, "sin", NULL);
    for (size_t pair = 0; pair < pairs; pair++) {
        size_t a = adjacent ? 2 * pair : pair, b = adjacent ? a + 1 : pair + pairs;

        ck_assert(m[a * DIM + a] == cosine[pair] && m[b * DIM + b] == cosine[pair]);
        ck_assert(m[a * DIM + b] == -sine[pair] && m[b * DIM + a] == sine[pair]);
        m[a * DIM + a] = m[b * DIM + b] = 1;
        m[a * DIM + b] = m[b * DIM + a] = 0;
    }
    for (size_t i = 0; i < (size_t)DIM * DIM; i++) /* what is left is the identity */
        ck_assert(m[i] == (i / DIM == i % DIM));
    free(m);
    free(cosine);
    free(sine);
}
END_TEST

START_TEST(adjacent_is_half_with_the_coordinates_permuted)
{
    double *half = matrices("dim=12", "9"),
           *adjacent = matrices("dim=12&pairing=adjacent", "9");

    for (size_t row = 0; row < DIM; row++) {
        for (size_t col = 0; col < DIM; col++) {
            size_t at = row % 2 * 6 + row / 2, from = col % 2 * 6 + col / 2;

            ck_assert(adjacent[row * DIM + col] == half[at * DIM + from]);
        }
    }
    free(half);
    free(adjacent);
}
END_TEST

START_TEST(the_profile_reaches_the_matrix)
{
    double *m = core_query_values(
        "rope", "dim=4&pos=131071&out=matrix&profile=f32-pow&dtype=f64", "matrix", NULL);
    double *cosine = core_query_values(
        "rope", "dim=4&pos=131071&out=cos&profile=f32-pow&dtype=f64", "cos", NULL);

    ck_assert(m[0] == cosine[0] && m[5] == cosine[1]);
    ck_assert(m[0] == (double)(float)m[0]);
    free(m);
    free(cosine);
}
END_TEST

SUITE(rope_matrix, TEST_EACH(published_rotations_are_served, known),
      TEST_EACH(a_matrix_is_orthogonal_and_its_inverse_undoes_it, queries),
      TEST_EACH(matrices_of_two_positions_make_that_of_their_sum, queries),
      TEST_EACH(entries_are_the_tables_in_their_places, queries),
      TEST(adjacent_is_half_with_the_coordinates_permuted),
      TEST(the_profile_reaches_the_matrix));
