/* SPDX-License-Identifier: Apache-2.0
 * logn.c - logarithms of positions over the logarithm of a length. */
#include "core/math/relative/logn.h"

struct dd logn_multiplier(double length)
{
    return elementary_divide((struct dd){1, 0}, elementary_log(length));
}

/* multiplier * ln(position + 1), within 0.51 ULP. */
static double logn_at(const struct logn *logn, double position)
{
    struct dd log = elementary_log_dd(elementary_sum(position, 1));
    struct dd factor = elementary_multiply(log, logn->multiplier);
    double value = factor.hi + factor.lo;

    return logn->clip && value < 1 ? 1 : value;
}

static double element(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct logn *logn = state;

    return logn_at(logn, pe_positions_at(logn->pos, col));
}

const struct pe_filler logn_filler = {.element = element, .ns_per_element = 120};
