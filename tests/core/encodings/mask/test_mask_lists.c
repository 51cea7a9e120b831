/* SPDX-License-Identifier: Apache-2.0
 * test_mask_lists.c - masks of a size of their own or made from lists: laws beyond the rows of
 * mask_lists.txt. */
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(every_block_sees_the_asked_number_of_random_blocks)
{
    enum { BLOCKS = 20, RANDOM = 3 };
    double *mask = core_query_values("bigbird-mask", "len=20&block=1&random_blocks=3&seed=7",
                                     "mask", NULL);

    for (int a = 1; a < BLOCKS - 1; a++) {
        int seen = 0, near = 5 - (a == 1) - (a == BLOCKS - 2); /* neighbours and both ends */

        for (int c = 0; c < BLOCKS; c++)
            seen += mask[a * BLOCKS + c] == 1;
        ck_assert_int_eq(seen, near + RANDOM);
    }
    free(mask);
}
END_TEST

START_TEST(every_token_has_as_many_neighbours)
{
    static const struct {
        const char *query;
        size_t tokens;
        double neighbours;
    } grids[] = {{"grid=4x5&kernel=3,5", 20, 15},
                 {"grid=6x7&kernel=3&dilation=2,1", 42, 9},
                 {"len=11&kernel=5&dilation=2", 11, 5}};

    for (size_t i = 0; i < PE_LEN(grids); i++) {
        double *mask = core_query_values("natten-mask", grids[i].query, "mask", NULL);

        for (size_t row = 0; row < grids[i].tokens; row++) {
            double seen = 0;

            for (size_t col = 0; col < grids[i].tokens; col++)
                seen += mask[row * grids[i].tokens + col];
            ck_assert_double_eq(seen, grids[i].neighbours);
        }
        free(mask);
    }
}
END_TEST

SUITE(mask_lists, TEST(every_block_sees_the_asked_number_of_random_blocks),
      TEST(every_token_has_as_many_neighbours));
