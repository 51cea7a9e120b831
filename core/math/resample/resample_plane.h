/* SPDX-License-Identifier: Apache-2.0
 * resample_plane.h - a table whose rows are the places of a grid, row by row, and perhaps
 * others before and after them, at another size: both axes resampled, each channel alone. */
#pragma once

#include "core/math/resample/resample_place.h"

/* state: struct resample_plane; out[0] has the prefix, the new grid and the rest. */
extern const struct pe_filler resample_plane_filler;
