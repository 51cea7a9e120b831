/* SPDX-License-Identifier: Apache-2.0
 * dot_lanes.h - several inner products at once: each adds the terms of dot.h in the order of
 * dot.h, and so has its bits, at several times the speed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/number/elementary.h"

enum { DOT_LANES = 8 };

/* Sums of the lanes, to which terms may still be added. */
struct dot_lanes {
    double high[DOT_LANES], low[DOT_LANES];
};

/* The factors of `count` products for each lane. b[i * DOT_LANES + lane] is factor i of a lane;
 * a is laid out in the same way if `own`, else a[i] serves every lane. */
struct dot_lanes_run {
    const double *a, *b;
    size_t count;
    bool own;
    /* factors have at most 26 bits (float32, bfloat16), so no product rounds */
    bool short_factors;
};

/* Adds the products to the sums, on the CPU path in use; all paths give the same bits. */
void dot_lanes_add(struct dot_lanes *sums, const struct dot_lanes_run *run);

/* Returns the sum that dot_add returns for the lane, however its terms were divided into
 * runs. */
struct dd dot_lanes_sum(const struct dot_lanes *sums, size_t lane);
