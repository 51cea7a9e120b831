/* SPDX-License-Identifier: Apache-2.0
 * test_detr_sine.c - places among the pixels that are no padding: laws beyond the rows of
 * detr_sine.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* The printed example of the source, to the digits it has. */
START_TEST(detr_divides_by_the_last_place_and_a_little_more)
{
    static const double plain[] = {.00000157, -1,       .0314107, .999507,
                                   .866026,   -.499999, .0209424, .999781};
    static const double centred[] = {1,       .0000008, .0157073, .999877,
                                     .866025, .5,       .0104718, .999945};
    double *first =
        core_query_values("detr-sine", "grid=2x3&num_pos_feats=4&out=rows", "rows", NULL);
    double *second = core_query_values(
        "detr-sine", "grid=2x3&num_pos_feats=4&out=rows&offset=-0.5", "rows", NULL);

    for (size_t i = 0; i < 8; i++) {
        ck_assert_double_eq_tol(first[i], plain[i], 6e-7);
        ck_assert_double_eq_tol(second[i], centred[i], 6e-7);
    }
    free(first);
    free(second);
}
END_TEST

SUITE(detr_sine, TEST(detr_divides_by_the_last_place_and_a_little_more));
