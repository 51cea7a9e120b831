/* SPDX-License-Identifier: Apache-2.0
 * test_window.c - offsets in a window, of Swin and BEiT: laws beyond the rows of window.txt. */
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

START_TEST(the_opposite_offset_has_the_mirrored_index)
{
    double *index = core_query_values("swin", "window_size=4x5", "index", NULL);

    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            ck_assert(index[20 * i + j] + index[20 * j + i] == 7 * 9 - 1);
    free(index);
}
END_TEST

SUITE(window, TEST(the_opposite_offset_has_the_mirrored_index));
