/* SPDX-License-Identifier: Apache-2.0
 * test_mask_combine.c - De Morgan's law. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/core_random.h"
#include "tests/support/suite.h"

/* not (a and b) = (not a) or (not b) */
START_TEST(masks_obey_de_morgan)
{
    struct core_random random = {3};

    for (int i = 0; i < 32; i++) {
        char with[120], against[120];
        size_t count;
        double *and, * or ;
        int bits[8];

        for (int j = 0; j < 8; j++)
            bits[j] = (int)core_random_whole(&random, 0, 1);
        snprintf(with, sizeof with, "a=%d,%d;%d,%d&b=%d,%d;%d,%d&op=and", bits[0], bits[1],
                 bits[2], bits[3], bits[4], bits[5], bits[6], bits[7]);
        snprintf(against, sizeof against, "a=%d,%d;%d,%d&b=%d,%d;%d,%d&op=or", !bits[0],
                 !bits[1], !bits[2], !bits[3], !bits[4], !bits[5], !bits[6], !bits[7]);
        and = core_query_values("mask-combine", with, "mask", &count);
        or = core_query_values("mask-combine", against, "mask", NULL);
        ck_assert_uint_eq(count, 4);
        for (size_t j = 0; j < count; j++)
            ck_assert(and[j] != or [j]);
        free(and);
        free(or);
    }
}
END_TEST

SUITE(mask_combine, TEST(masks_obey_de_morgan));
