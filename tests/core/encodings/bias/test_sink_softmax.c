/* SPDX-License-Identifier: Apache-2.0
 * test_sink_softmax.c - softmax with a sink: a law beyond the rows of sink_softmax.txt. */
#include <math.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"
#include <stdio.h>

START_TEST(a_row_and_its_sink_sum_to_one)
{
    static const char query[] =
        "logits=1,-2,30,4;5,6,7,8&sink=3,9&mask=1,1,0,1;1,0,1,1&dtype=f64";
    double *shares = core_query_values("sink-softmax", query, "probabilities", NULL);
    double *sinks;
    char both[160];

    snprintf(both, sizeof both, "%s&out=sink_probability", query);
    sinks = core_query_values("sink-softmax", both, "sink_probability", NULL);
    for (size_t row = 0; row < 2; row++) {
        double sum = sinks[row];

        for (size_t col = 0; col < 4; col++)
            sum += shares[4 * row + col];
        ck_assert(fabs(sum - 1) < 1e-15);
    }
    free(shares);
    free(sinks);
}
END_TEST

SUITE(sink_softmax, TEST(a_row_and_its_sink_sum_to_one));
