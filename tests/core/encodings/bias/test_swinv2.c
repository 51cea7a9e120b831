/* SPDX-License-Identifier: Apache-2.0
 * test_swinv2.c - Swin V2's coordinates and network: laws beyond the rows of swinv2.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(coordinates_are_odd_and_end_at_the_trained_windows_side)
{
    static const char query[] = "window_size=16x8&pretrained_window=8x8&out=coords&dtype=f64";
    double *coords = core_query_values("swinv2", query, "coords", NULL);
    const int rows = 31, cols = 15;

    for (int i = 0; i < rows * cols * 2; i += 2) {
        ck_assert(coords[i] == -coords[2 * rows * cols - 2 - i]);
        ck_assert(coords[i + 1] == -coords[2 * rows * cols - 1 - i]);
    }
    ck_assert(fabs(coords[2 * rows * cols - 2] - 1.39378) < 5e-6); /* 15 of 7 */
    ck_assert(fabs(coords[2 * rows * cols - 1] - 1.05664) < 5e-6); /* 7 of 7 */
    free(coords);
}
END_TEST

START_TEST(the_bias_is_the_network_at_the_index)
{
    static const char query[] =
        "window_size=3x2&convention=cr&out=bias&dtype=f64&w1=1,0;-1,0;0,1;0,-1"
        "&w2=1,-1,0,0;0,0,1,-1";
    double *bias = core_query_values("swinv2", query, "bias", NULL);
    double *index = core_query_values("swinv2", "window_size=3x2", "index", NULL);
    double *coords = core_query_values(
        "swinv2", "window_size=3x2&convention=cr&out=coords&dtype=f64", "coords", NULL);

    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < 36; i++)
            ck_assert(bias[36 * axis + i] == coords[2 * (int)index[i] + axis]);
    free(bias);
    free(index);
    free(coords);
}
END_TEST

SUITE(swinv2, TEST(coordinates_are_odd_and_end_at_the_trained_windows_side),
      TEST(the_bias_is_the_network_at_the_index));
