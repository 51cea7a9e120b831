/* SPDX-License-Identifier: Apache-2.0
 * rotation_lane.h - lanes: bands of columns cut to a rectangle. */
#pragma once

#include "core/math/rotation/rotation_state.h"

/* Columns start + step*j of the rectangle show `wave` of pair first + j, j < count. */
struct rotation_lane {
    size_t slot;
    enum rotation_wave wave;
    size_t first, count;
    size_t start, step;
};

/* Makes the lanes of the wanted outputs (out[slot] not NULL); lanes of the same pairs
 * adjoin. */
size_t rotation_lane_lay(const struct rotation *rotation, const struct pe_rect *rect,
                         void *const out[], struct rotation_lane lanes[ROTATION_MAX_BANDS]);

/* Counts the lanes from lanes[0] on that show the same pairs; count >= 1. */
size_t rotation_lane_span(const struct rotation_lane *lanes, size_t count);
