/* SPDX-License-Identifier: Apache-2.0
 * test_ladder_target.c - the factor of a scaling divided out of frequencies, positions or
 * angles: laws that hold bit for bit in float32, and what has no effect. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

#define ROW "dim=16&out=cos&dtype=f64&"
#define LINEAR ROW "scaling=linear&"

/* A third is no float32: each target rounds at another step. */
START_TEST(the_targets_differ_in_their_roundings)
{
    static const char *const query[] = {
        LINEAR "pos=100003&factor=3&profile=f32-pow",
        LINEAR "pos=100003&factor=3&profile=f32-pow&scale_target=position",
        LINEAR "pos=100003&factor=3&profile=f32-pow&scale_target=angle",
    };
    double *rows[3];
    size_t count, apart[3] = {0, 0, 0};

    for (size_t i = 0; i < 3; i++)
        rows[i] = core_query_values("rope", query[i], "cos", &count);
    for (size_t j = 0; j < count; j++) {
        for (size_t i = 0; i < 3; i++)
            apart[i] += rows[i][j] != rows[(i + 1) % 3][j];
        ck_assert_double_eq_tol(rows[0][j], rows[1][j], 1e-2);
        ck_assert_double_eq_tol(rows[0][j], rows[2][j], 1e-2);
    }
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_gt(apart[i], 0);
        free(rows[i]);
    }
}
END_TEST

SUITE(ladder_target, TEST(the_targets_differ_in_their_roundings));
