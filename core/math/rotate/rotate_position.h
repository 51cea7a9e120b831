/* SPDX-License-Identifier: Apache-2.0
 * rotate_position.h - the row of cosines and sines that rotates the vectors at a place of a
 * sequence: by its position, by the difference of two positions, or by the negative angle. */
#ifndef PE_MATH_ROTATE_POSITION_H
#define PE_MATH_ROTATE_POSITION_H

#include "core/math/rotate/rotate.h"
#include "core/math/rotation/rotation.h"

/* With fine rows in the table of the rotation, exact angles and whole positions, rows are
 * computed by angle addition (double, 2 ULP of the amplitude), else directly. */
struct rotate_position {
    const struct rotation *rotation; /* table, profile, amplitude; its bands are not used */
    const struct pe_positions *pos;
    const struct pe_positions *from; /* rotate by pos - from, less than 2^53 apart; or NULL */
    bool inverse;                    /* by minus the angle */
};

/* The rotate_turn function; its context is a struct rotate_position. */
void rotate_position_turn(const void *context, uint64_t number, double *cosine, double *sine,
                          void *memory);
size_t rotate_position_memory(const struct rotate_position *by);

#endif
