/* SPDX-License-Identifier: Apache-2.0
 * test_rope_context.c - the critical dimension of a context is its closed formula. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/core_query.h"
#include "tests/support/suite.h"

/* 2 ceil(d/2 ln(L / 2 pi) / ln base), within 0 .. d. */
START_TEST(the_critical_dim_is_the_closed_formula)
{
    static const double bases[] = {100, 10000, 500000, 1e6};
    char query[200];

    for (int dim = 2; dim <= 256; dim += 22) {
        double context = 5 * pow(1.7, dim % 17), base = bases[dim % 4 + dim / 2 % 2];
        double pairs = ceil(dim / 2.0 * log(context / (2 * acos(-1))) / log(base));
        double *served;

        snprintf(query, sizeof query, "dim=%d&base=%.17g&context=%.17g&out=critical_dim", dim,
                 base, context);
        served = core_query_values("rope", query, "critical_dim", NULL);
        ck_assert_double_eq(served[0], fmin(fmax(2 * pairs, 0), dim));
        free(served);
    }
}
END_TEST

SUITE(rope_context, TEST(the_critical_dim_is_the_closed_formula));
