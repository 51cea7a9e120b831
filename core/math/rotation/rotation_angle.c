/* SPDX-License-Identifier: Apache-2.0
 * rotation_angle.c - position times frequency, exactly or as a profile rounds it. */
#include "core/math/rotation/rotation_angle.h"

#include "core/math/rotation/rotation_profile.h"
#include "core/math/trig/angle.h"

static void angle_row(const struct rotation *rotation, size_t first, size_t count,
                      double position, double *angles)
{
    if (rotation->angle != ROTATION_EXACT) {
        rotation_profile_angles(rotation, first, count, position, angles);
        return;
    }
    for (size_t j = 0; j < count; j++) {
        const struct dd angle = angle_at(&rotation->table->freq[first + j], position);

        angles[j] = angle.hi + angle.lo;
    }
}

static void fill_angles(const void *state, const struct pe_rect *rect, double *const out[],
                        const void *const input[], void *scratch)
{
    const struct rotation *rotation = state;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++)
        angle_row(rotation, (size_t)rect->col, (size_t)rect->cols,
                  pe_positions_at(rotation->pos, rect->row + row), out[0] + row * rect->cols);
}

const struct pe_filler rotation_angle_filler = {.reference = fill_angles, .ns_per_element = 4};
