/* SPDX-License-Identifier: Apache-2.0
 * test_gaussian_fourier.c - random frequencies: laws beyond the rows of gaussian_fourier.txt.
 * */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

static void expect_equal(const char *encoding, const char *query, const char *other,
                         const char *other_query)
{
    size_t count, other_count;
    double *values = core_query_values(encoding, query, "rows", &count);
    double *others = core_query_values(other, other_query, "rows", &other_count);

    ck_assert_uint_eq(count, other_count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(values[i] == others[i], "%s: element %zu", query, i);
    free(values);
    free(others);
}

START_TEST(drawn_weights_can_be_given_back)
{
    size_t count;
    double *weights = core_query_values("gaussian-fourier",
                                        "num_freqs=5&sigma=3&seed=9&out=weights&dtype=f64",
                                        "weights", &count);
    char query[300] = "pos=0.3,7&weights=";

    for (size_t i = 0; i < count; i++)
        snprintf(query + strlen(query), sizeof query - strlen(query), "%s%.17g", i ? "," : "",
                 weights[i]);
    expect_equal("gaussian-fourier", "pos=0.3,7&num_freqs=5&sigma=3&seed=9", "gaussian-fourier",
                 query);
    free(weights);
}
END_TEST

SUITE(gaussian_fourier, TEST(drawn_weights_can_be_given_back));
