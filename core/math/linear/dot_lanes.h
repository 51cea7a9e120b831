/* SPDX-License-Identifier: Apache-2.0
 * dot_lanes.h - several inner products at once, side by side: each of them the same sums in the
 * same order as dot.h's, and so the same bits, at several times the speed. */
#ifndef PE_MATH_DOT_LANES_H
#define PE_MATH_DOT_LANES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/math/number/elementary.h"

enum { DOT_LANES = 8 };

/* Sums that are under way. */
struct dot_lanes {
    double high[DOT_LANES], low[DOT_LANES];
};

/* Factors of `count` products a lane. b[i * DOT_LANES + lane] is a lane's i-th; a the same if
 * `own`, else a[i] is every lane's. */
struct dot_lanes_run {
    const double *a, *b;
    size_t count;
    bool own;
    bool short_factors; /* each has 26 bits or fewer (float32, bfloat16): no product rounds */
};

/* By the CPU path in use; all give the same bits. */
void dot_lanes_add(struct dot_lanes *sums, const struct dot_lanes_run *run);

/* What dot_add would have returned for the lane, whatever way its terms were cut into runs. */
struct dd dot_lanes_sum(const struct dot_lanes *sums, size_t lane);

#endif
