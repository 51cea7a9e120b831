/* SPDX-License-Identifier: Apache-2.0
 * test_ids_grid.c - coordinates of patches: laws beyond the rows of ids_grid.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(signed_coordinates_are_odd_about_the_middle)
{
    size_t count;
    double *values = core_query_values("ids-grid", "grid=5x7&coord_range=signed&dtype=f64",
                                       "coords", &count);

    for (size_t i = 0; i < count / 2; i++)
        ck_assert(values[2 * i] == -values[count - 2 - 2 * i] &&
                  values[2 * i + 1] == -values[count - 1 - 2 * i]);
    free(values);
}
END_TEST

START_TEST(blocks_hold_every_patch_once)
{
    double seen[48] = {0};
    double *ids = core_query_values("ids-grid", "grid=6x8&merge=2&out=ids", "ids", NULL);

    for (size_t i = 0; i < 48; i++)
        seen[(size_t)(ids[2 * i] * 8 + ids[2 * i + 1])]++;
    for (size_t i = 0; i < 48; i++)
        ck_assert(seen[i] == 1);
    free(ids);
}
END_TEST

SUITE(ids_grid, TEST(signed_coordinates_are_odd_about_the_middle),
      TEST(blocks_hold_every_patch_once));
