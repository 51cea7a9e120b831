/* SPDX-License-Identifier: Apache-2.0
 * logn.c - logarithms of positions over the logarithm of a length. */
#include "core/math/relative/logn.h"

struct dd logn_multiplier(double length)
{
    return elementary_divide((struct dd){1, 0}, elementary_log(length));
}

double logn_at(const struct logn *logn, double position)
{
    struct dd log = elementary_log_dd(elementary_sum(position, 1));
    struct dd factor = elementary_multiply(log, logn->multiplier);
    double value = factor.hi + factor.lo;

    return logn->clip && value < 1 ? 1 : value;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct logn *logn = state;

    for (uint64_t i = 0; out[0] && i < rect->rows * rect->cols; i++) /* one row, or none */
        out[0][i] = logn_at(logn, pe_positions_at(logn->pos, rect->col + i));
}

const struct pe_filler logn_filler = {.reference = fill, .ns_per_element = 120};
