/* SPDX-License-Identifier: Apache-2.0
 * test_retnet_decay.c - retention: a law beyond the rows of retnet_decay.txt. */
#include <math.h>
#include <stdlib.h>

#include "core/encoding.h"
#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

START_TEST(rows_are_over_the_root_of_their_sums_whatever_the_order_of_keys)
{
    static const char *const keys[] = {"0:7", "6,5,4,3,2,1,0", "0,2,4,6,1,3,5", "6:-1:-1"};

    for (size_t i = 0; i < PE_LEN(keys); i++) {
        char query[96];
        double sum = 0, *plain, *normal;

        snprintf(query, sizeof query, "heads=3&q=5&k=%s&dtype=f64", keys[i]);
        plain = core_query_values("retnet-decay", query, "decay", NULL);
        snprintf(query, sizeof query, "heads=3&q=5&k=%s&dtype=f64&row_norm=sqrt_sum", keys[i]);
        normal = core_query_values("retnet-decay", query, "decay", NULL);
        for (size_t head = 0; head < 3; head++) {
            sum = 0;
            for (size_t j = 0; j < 7; j++)
                sum += plain[7 * head + j];
            for (size_t j = 0; j < 7; j++)
                ck_assert(fabs(normal[7 * head + j] * sqrt(sum) - plain[7 * head + j]) < 1e-15);
        }
        free(plain);
        free(normal);
    }
}
END_TEST

SUITE(retnet_decay, TEST(rows_are_over_the_root_of_their_sums_whatever_the_order_of_keys));
