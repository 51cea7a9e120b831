/* SPDX-License-Identifier: Apache-2.0
 * test_rope_apply_laws.c - what rotations promise: norms, distances, sums, inverses, moves of
 * cached keys, pairings that differ by a permutation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

extern const struct pe_encoding pe_encoding_rope_apply;
static const struct pe_encoding *const apply = &pe_encoding_rope_apply;

enum { DIM = 12 };

/* Returns the x of the query as float64, computed from these numbers. */
static double *rotated(const char *query, const double *numbers)
{
    struct pe_plan *plan = core_query_plan(apply, query);
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)numbers};
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

/* ---- laws ------------------------------------------------------------------------------- */

enum { VECTORS = 60 }; /* of the shapes below */
static const char *const laws[] = {"", "&pairing=adjacent", "&rotary_dim=8",
                                   "&rotary_dim=6&offset_dims=5&pairing=adjacent",
                                   "&scaling=llama3&base=500000"};

/* Returns the x of 60 drawn vectors of width 12, all at one position. */
static double *turn(const double *x, double position, const char *more, const char *law)
{
    char query[900], list[700] = "";
    size_t len = 0;

    for (size_t i = 0; i < VECTORS; i++)
        len +=
            (size_t)snprintf(list + len, sizeof list - len, "%s%.17g", i ? "," : "", position);
    snprintf(query, sizeof query, "x=f64:60x12&pos=%s%s%s", list, more, law);
    return rotated(query, x);
}

static double *drawn(void)
{
    struct pe_plan *plan = core_query_plan(apply, "pos=0:60&x=f64:60x12");
    void *inputs[CORE_TENSOR_MAX];

    core_tensor_draw_inputs(plan, inputs);
    pe_plan_free(plan);
    return inputs[0];
}

static double dot(const double *a, const double *b)
{
    double sum = 0;

    for (size_t i = 0; i < DIM; i++)
        sum += a[i] * b[i];
    return sum;
}

static void expect_near(double *a, double *b)
{
    for (size_t i = 0; i < (size_t)VECTORS * DIM; i++)
        ck_assert_double_eq_tol(a[i], b[i], 8e-15);
    free(a);
    free(b);
}

START_TEST(norms_are_kept)
{
    double *x = drawn(), *y = turn(x, 12345, "", laws[_i]);

    for (size_t v = 0; v < VECTORS; v++)
        ck_assert_double_eq_tol(dot(x + v * DIM, x + v * DIM), dot(y + v * DIM, y + v * DIM),
                                1e-13);
    free(x);
    free(y);
}
END_TEST

START_TEST(scores_depend_on_the_distance_alone)
{
    double *x = drawn(), *near = turn(x, 17, "", laws[_i]), *nearer = turn(x, 9, "", laws[_i]);
    double *far = turn(x, 100017, "", laws[_i]), *farther = turn(x, 100009, "", laws[_i]);

    for (size_t v = 0; v + 1 < VECTORS; v++)
        ck_assert_double_eq_tol(dot(near + v * DIM, nearer + (v + 1) * DIM),
                                dot(far + v * DIM, farther + (v + 1) * DIM), 5e-14);
    free(x);
    free(near);
    free(nearer);
    free(far);
    free(farther);
}
END_TEST

START_TEST(rotations_compose_by_the_sum_of_their_angles)
{
    double *x = drawn(), *once = turn(x, 70, "", laws[_i]);

    expect_near(turn(once, 4000.5, "", laws[_i]), turn(x, 4070.5, "", laws[_i]));
    free(once);
    free(x);
}
END_TEST

START_TEST(inverse_gives_back_what_was_rotated)
{
    static const char yarn[] = "&scaling=yarn&factor=8&original_max_position_embeddings=512";
    double *x = drawn(), *there = turn(x, 4099, yarn, laws[_i % 3]);

    expect_near(turn(there, 4099,
                     "&inverse=1&scaling=yarn&factor=8"
                     "&original_max_position_embeddings=512",
                     laws[_i % 3]),
                x);
    free(there);
}
END_TEST

START_TEST(position_zero_is_the_factor_times_the_identity)
{
    double *x = drawn();
    double *y = turn(x, 0,
                     "&scaling=yarn&factor=8&original_max_position_embeddings=512"
                     "&attention_factor=1.25",
                     "");

    for (size_t i = 0; i < (size_t)VECTORS * DIM; i++)
        ck_assert(y[i] == 1.25 * x[i]);
    free(y);
    expect_near(turn(x, 0, "", ""), x);
}
END_TEST

START_TEST(cached_keys_move_as_if_rotated_afresh)
{
    double *x = drawn(), *cached = turn(x, 900,
                                        "&scaling=yarn&factor=8"
                                        "&original_max_position_embeddings=512",
                                        "");
    char query[1800], pos[400] = "", from[400] = "";

    for (size_t i = 0; i < VECTORS; i++) {
        snprintf(pos + strlen(pos), sizeof pos - strlen(pos), "%s41", i ? "," : "");
        snprintf(from + strlen(from), sizeof from - strlen(from), "%s900", i ? "," : "");
    }
    snprintf(query, sizeof query,
             "x=f64:60x12&pos=%s&from=%s&scaling=yarn&factor=8"
             "&original_max_position_embeddings=512",
             pos, from);
    expect_near(rotated(query, cached),
                turn(x, 41, "&scaling=yarn&factor=8&original_max_position_embeddings=512", ""));
    free(cached);
    free(x);
}
END_TEST

/* 2^31 + .628... takes 61 bits: an earlier version dropped the bits that no double holds and
 * was 7 ULP of float32 off. */
START_TEST(cached_keys_move_by_differences_that_no_double_holds)
{
    const double x[] = {-3.47, -2.84, 3.12, -.35};
    double *kept = rotated("x=f64:1x4&pos=0&from=-0.628566168611135", x);
    double *afresh = rotated("x=f64:1x4&pos=2147483648", kept);
    double *moved = rotated("x=f64:1x4&pos=2147483648&from=-0.628566168611135", x);

    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(moved[i], afresh[i], 8e-15);
    free(kept);
    free(afresh);
    free(moved);
}
END_TEST

START_TEST(half_is_adjacent_with_the_coordinates_permuted)
{
    double *x = drawn(), permuted[VECTORS * DIM], *half, *adjacent, *both;

    for (size_t i = 0; i < (size_t)VECTORS * DIM; i++)
        permuted[i] = x[i / DIM * DIM + i % 2 * (DIM / 2) + i % DIM / 2];
    half = turn(x, 31, "", "");
    adjacent = turn(permuted, 31, "&pairing=adjacent", "");
    both = turn(permuted, 31, "&pairing=adjacent&pairing_out=half", "");
    for (size_t i = 0; i < (size_t)VECTORS * DIM; i++) {
        ck_assert(adjacent[i] == half[i / DIM * DIM + i % 2 * (DIM / 2) + i % DIM / 2]);
        ck_assert(both[i] == half[i]);
    }
    free(half);
    free(adjacent);
    free(both);
    free(x);
}
END_TEST

SUITE(rope_apply_laws, TEST_EACH(norms_are_kept, laws),
      TEST_EACH(scores_depend_on_the_distance_alone, laws),
      TEST_EACH(rotations_compose_by_the_sum_of_their_angles, laws),
      TEST_RANGE(inverse_gives_back_what_was_rotated, 0, 3),
      TEST(position_zero_is_the_factor_times_the_identity),
      TEST(cached_keys_move_as_if_rotated_afresh),
      TEST(cached_keys_move_by_differences_that_no_double_holds),
      TEST(half_is_adjacent_with_the_coordinates_permuted));
