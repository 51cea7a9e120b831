/* SPDX-License-Identifier: Apache-2.0
 * wave_angles.h - the angles of one whole position and many frequencies, folded, in the layout
 * that a vector loop takes; by integers one after the other, or four at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/trig/phase.h"

enum { WAVE_ANGLES_MOST = 32, WAVE_ANGLES_NEAR = 2 };
#define WAVE_ANGLES_SIGN (UINT64_C(1) << 63)

/* Folded angles without their sign, and how they were folded. */
struct wave_angles {
    double hi[WAVE_ANGLES_MOST], lo[WAVE_ANGLES_MOST];
    uint64_t
        fold[WAVE_ANGLES_MOST]; /* the quarter, and the sign's bit if the angle is negative */
};

/* Finds the angles of freq[0..count-1], count <= WAVE_ANGLES_MOST, at a position of at most
 * 2^53. Returns true if an angle is within WAVE_ANGLES_NEAR * 2^-64 turns of a quarter turn or
 * smaller than WAVE_TINY, so that phase.c must evaluate it. The bits are the same on every CPU
 * path. */
bool wave_angles_find(const struct phase_freq *freq, size_t count, uint64_t position,
                      struct wave_angles *angles);
/* Finds the angles of float32 numbers of radians. */
bool wave_angles_find_radians(const float *radians, size_t count, struct wave_angles *angles);
