/* SPDX-License-Identifier: Apache-2.0
 * resample_strip.h - places of one row of a resampled grid at once: the rows of the old grid
 * are resampled once for all of them, and then the columns. Such a sum has other roundings than
 * that of resample_place.h, so its bytes are used only where no rounding could change them. */
#pragma once

#include "core/math/resample/resample_place.h"

enum { RESAMPLE_STRIP_SCRATCH = 96 << 10 };

struct resample_strip {
    const struct resample_plane *plane;
    const void *data;     /* the elements of the table */
    uint64_t col, cols;   /* the channels */
    uint64_t first, most; /* the first place of the new grid, the most places that are wanted */
    enum pe_dtype dtype;
};

/* Returns true if strips may be used for a dtype, and are faster than place by place. */
bool resample_strip_pays(const struct resample_plane *plane, enum pe_dtype dtype);
/* Writes places first, first + 1, ... with the bytes of resample_place_fill, and returns their
 * number, at least 1; scratch has RESAMPLE_STRIP_SCRATCH bytes. */
uint64_t resample_strip_fill(const struct resample_strip *strip, void *out, void *scratch);
