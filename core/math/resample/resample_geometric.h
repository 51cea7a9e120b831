/* SPDX-License-Identifier: Apache-2.0
 * resample_geometric.h - one axis of offsets, -n..n, brought to -N..N by places whose distances
 * grow: near offsets stay where they are, far ones spread.
 *
 *     old places 0, +-c_1 .. +-c_n,   c_1 = 1,  c_(k+1) = c_k + q^k
 *     q by bisection of 1.01 .. 1.5 to 1e-6: below it 1 + q + .. + q^(n-1) > N
 *     new places are the whole numbers, those beyond c_n as c_n; between the old ones the
 *     cubic spline with not-a-knot ends, or a straight line
 *
 * Bao et al. 2022, BEiT: microsoft/unilm beit run_class_finetuning.py, with SciPy's interp2d
 * (FITPACK without smoothing); timm layers/pos_embed_rel.py, straight without SciPy. */
#pragma once

#include "core/math/resample/resample.h"

enum { RESAMPLE_GEOMETRIC_MIN = 5, RESAMPLE_GEOMETRIC_BEFORE = 255 };
enum { RESAMPLE_GEOMETRIC_AFTER = 1023 }; /* most places of the axes, which are odd in number */

struct resample_geometric {
    size_t before, after;
    bool straight;
};

/* Returns the quotient q. */
double resample_geometric_growth(const struct resample_geometric *geometric);
/* Returns the operations of making the axis, for plan_ns. */
double resample_geometric_ns(const struct resample_geometric *geometric);
/* Makes the weights of all new places. Returns false when out of memory. */
bool resample_geometric_make(struct pe_build *build, const struct resample_geometric *geometric,
                             struct resample_axis *axis);
