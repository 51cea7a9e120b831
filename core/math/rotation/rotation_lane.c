/* SPDX-License-Identifier: Apache-2.0
 * rotation_lane.c - cuts bands to a rectangle. */
#include "core/math/rotation/rotation_lane.h"

#include <string.h>

static bool same_pairs(const struct rotation_lane *a, const struct rotation_lane *b)
{
    return a->wave != ROTATION_ZERO && b->wave != ROTATION_ZERO && a->first == b->first &&
           a->count == b->count;
}

static bool cut(const struct rotation_band *band, const struct pe_rect *rect,
                struct rotation_lane *lane)
{
    const uint64_t stop = rect->col + rect->cols, step = band->step;
    const uint64_t begin =
        rect->col > band->col ? (rect->col - band->col + step - 1) / step : 0;
    uint64_t end = stop > band->col ? (stop - band->col + step - 1) / step : 0;

    end = end < band->count ? end : band->count;
    if (begin >= end)
        return false;
    *lane = (struct rotation_lane){
        .slot = band->slot,
        .wave = band->wave,
        .first = band->first + begin,
        .count = end - begin,
        .start = band->col + begin * step - rect->col,
        .step = step,
    };
    return true;
}

size_t rotation_lane_lay(const struct rotation *rotation, const struct pe_rect *rect,
                         void *const out[], struct rotation_lane lanes[ROTATION_MAX_BANDS])
{
    size_t count = 0;

    for (size_t i = 0; i < rotation->band_count; i++) {
        struct rotation_lane lane;

        if (!out[rotation->bands[i].slot] || !cut(&rotation->bands[i], rect, &lane))
            continue;
        size_t at = count;
        for (size_t j = 0; j < count && at == count; j++)
            if (same_pairs(&lanes[j], &lane))
                at = j + 1;
        memmove(&lanes[at + 1], &lanes[at], (count - at) * sizeof *lanes);
        lanes[at] = lane;
        count++;
    }
    return count;
}

size_t rotation_lane_span(const struct rotation_lane *lanes, size_t count)
{
    size_t span = 1;

    while (span < count && same_pairs(&lanes[0], &lanes[span]))
        span++;
    return span;
}
