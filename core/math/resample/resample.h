/* SPDX-License-Identifier: Apache-2.0
 * resample.h - one axis brought to another length: for each place of the new one, which places
 * of the old one count how much.
 *
 *     r = old / (new + trick),   s = (d + 1/2) r - 1/2   or, corners aligned, d (old-1)/(new-1)
 *     nearest floor(d r);   nearest-exact floor((d + 1/2) r);   tile d mod old
 *     linear  1 - t, t around s >= 0;   cubic K(t - k), k = -1..2, ends repeated
 *     or, zero beyond the ends, the same without a bound of s and without the places beyond
 *     antialias  f((j + 1/2 - (d + 1/2) r) / max(r, 1)), divided by their sum
 *     K(t) = (a+2)|t|^3 - (a+3)|t|^2 + 1 up to 1,  a (|t|^3 - 5|t|^2 + 8|t| - 4) up to 2
 *
 * torch.nn.functional.interpolate, grid_sample, upsample_*_aa kernels, and PIL's Lanczos;
 * Keys 1981. */
#pragma once

#include "core/encoding.h"
#include "core/math/number/elementary.h"

enum resample_mode {
    RESAMPLE_NEAREST,
    RESAMPLE_NEAREST_EXACT,
    RESAMPLE_LINEAR,
    RESAMPLE_CUBIC,
    RESAMPLE_LANCZOS,
    RESAMPLE_TILE
};

struct resample {
    uint64_t before, after; /* places of the old and the new axis, at least 1 */
    enum resample_mode mode;
    bool antialias, align_corners;
    bool zero_edge; /* without antialias: what lies beyond the ends is 0, and is not repeated */
    double trick, cubic_a;
};

enum { RESAMPLE_MAX = 1 << 18 }; /* most places of an axis */

struct resample_axis {
    size_t stride; /* most weights of a place; unused ones are 0 */
    /* for each new place: the first old place with a weight, and the number of weights */
    uint32_t *first, *taps;
    struct dd *weights;
};

/* Returns roughly the number of weights of one new place, for estimates of cost. */
size_t resample_stride(const struct resample *resample);
/* Makes the weights of all new places. Returns false when out of memory. */
bool resample_make(struct pe_build *build, const struct resample *resample,
                   struct resample_axis *axis);
