/* SPDX-License-Identifier: Apache-2.0
 * rotate_position.h - the row of cosines and sines that rotates the vectors at a place of a
 * sequence: that of its position, of what separates two positions, or of the way back. */
#ifndef PE_MATH_ROTATE_POSITION_H
#define PE_MATH_ROTATE_POSITION_H

#include "core/math/rotate/rotate.h"
#include "core/math/rotation/rotation.h"

/* With fine rows in rotation's table, exact angles and whole positions the rows are made by
 * angle addition (double, 2 ULP of the amplitude), else by the direct road. */
struct rotate_position {
    const struct rotation *rotation; /* table, profile, amplitude; its bands are not used */
    const struct pe_positions *pos;
    const struct pe_positions *from; /* rotate by pos - from, less than 2^53 apart; or NULL */
    bool inverse;                    /* by minus the angle */
};

/* rotate_turn of a struct rotate_position. */
void rotate_position_turn(const void *context, uint64_t number, double *cosine, double *sine,
                          void *memory);
size_t rotate_position_memory(const struct rotate_position *by);

#endif
