/* SPDX-License-Identifier: Apache-2.0
 * test_rope_angles.c - vectors turned by given angles: as rope/apply turns them where the
 * angles are those of rope, each head by its own, and by no sine where there is none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_tensor.h"
#include "tests/support/suite.h"

enum { QUERY_MAX = 300 };

static double *turned(const char *encoding, const char *query, const double *x,
                      const double *angles)
{
    void *inputs[CORE_TENSOR_MAX] = {(void *)(uintptr_t)x, NULL, NULL,
                                     (void *)(uintptr_t)angles};
    struct pe_plan *plan = core_query_plan(core_query_find(encoding), query);
    double *values = core_tensor_doubles(plan, 0, inputs);

    pe_plan_free(plan);
    return values;
}

static const double vectors[24] = {1, 2, 3, 4, -1, .5, 2, 7, -3,  1, 0,  2.5,
                                   4, 3, 2, 1, 7,  -2, 5, 1, .25, 9, -6, 8};

START_TEST(angles_of_rope_turn_as_rope_does)
{
    static const char *const pairings[] = {"half", "adjacent"};
    size_t count;
    double *angles =
        core_query_values("rope", "pos=3,7,-40&dim=8&out=angles&dtype=f64", "angles", &count);
    char query[QUERY_MAX];

    snprintf(query, sizeof query, "x=f64:3x8&angles=f64:3x4&pairing=%s", pairings[_i]);
    double *got = turned("rope-angles", query, vectors, angles);
    snprintf(query, sizeof query, "x=f64:3x8&pos=3,7,-40&pairing=%s", pairings[_i]);
    double *want = turned("rope/apply", query, vectors, NULL);
    for (size_t i = 0; i < 24; i++)
        ck_assert_double_eq_tol(got[i], want[i], 1e-13); /* an angle is a rounded double */
    free(angles), free(got), free(want);
}
END_TEST

/* Three heads at two positions; each head alone turns as among the others. */
START_TEST(each_head_is_turned_by_its_own_angles)
{
    static const double angles[12] = {.5, 1, 2, 3, -4, 5, 600, 7, .125, 9, 10, -11};
    double *all =
        turned("rope-angles", "x=f64:2x3x4&seq_axis=0&angles=f64:2x3x2", vectors, angles);

    for (size_t v = 0; v < 6; v++) {
        double *one =
            turned("rope-angles", "x=f64:4&angles=f64:2", vectors + 4 * v, angles + 2 * v);

        for (size_t i = 0; i < 4; i++)
            ck_assert_double_eq(all[4 * v + i], one[i]);
        free(one);
    }
    free(all);
}
END_TEST

/* Scores depend on the difference of two angles alone. */
START_TEST(a_turn_of_both_vectors_changes_no_score)
{
    static const double one[2] = {.75, -2}, other[2] = {.25, 5},
                        both[2][2] = {{1.75, -1}, {1.25, 6}};
    double score[2];

    for (size_t k = 0; k < 2; k++) {
        double *q = turned("rope-angles", "x=f64:4&angles=f64:2", vectors, k ? both[0] : one);
        double *key =
            turned("rope-angles", "x=f64:4&angles=f64:2", vectors + 4, k ? both[1] : other);

        score[k] = q[0] * key[0] + q[1] * key[1] + q[2] * key[2] + q[3] * key[3];
        free(q), free(key);
    }
    ck_assert_double_eq_tol(score[0], score[1], 1e-13);
}
END_TEST

START_TEST(angles_without_a_sine_give_no_numbers)
{
    static const double angles[2] = {INFINITY, 0};
    double *got = turned("rope-angles", "x=f64:4&angles=f64:2", vectors, angles);

    ck_assert(isnan(got[0]) && isnan(got[2]));
    ck_assert(got[1] == vectors[1] && got[3] == vectors[3]);
    free(got);
}
END_TEST

SUITE(rope_angles, TEST_RANGE(angles_of_rope_turn_as_rope_does, 0, 2),
      TEST(each_head_is_turned_by_its_own_angles),
      TEST(a_turn_of_both_vectors_changes_no_score),
      TEST(angles_without_a_sine_give_no_numbers));
