/* SPDX-License-Identifier: Apache-2.0
 * rotate_position.h - the row of cosines and sines that rotates the vectors at a place of a
 * sequence: by its position, by the difference of two positions, or by the negative angle. */
#pragma once

#include "core/math/rotate/rotate.h"
#include "core/math/rotation/rotation.h"

/* With fine rows in the table of the rotation, exact angles and whole positions, rows are
 * computed by angle addition (double, 2 ULP of the amplitude), else directly. */
struct rotate_position {
    /* table, profile and amplitude of the rotation; its bands are not used */
    const struct rotation *rotation;
    const struct pe_positions *pos;
    /* NULL, or positions: vectors are rotated by pos - from, less than 2^53 */
    const struct pe_positions *from;
    bool inverse; /* vectors are rotated by the negative angle */
};

/* The rotate_turn function; its context is a struct rotate_position. */
void rotate_position_turn(const void *context, uint64_t number, const void *const input[],
                          double *cosine, double *sine, void *memory);
size_t rotate_position_memory(const struct rotate_position *by);
