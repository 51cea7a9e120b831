/* SPDX-License-Identifier: Apache-2.0
 * axes_turn.h - the rows of a table of several axes, for the kernel that rotates vectors. */
#ifndef PE_MATH_AXES_TURN_H
#define PE_MATH_AXES_TURN_H

#include "core/math/axes.h"
#include "core/math/rotate.h"

struct axes_turn {
    const struct axes *axes;
    bool inverse; /* by minus the angle */
};

/* A rotate_turn; its context is a struct axes_turn. */
void axes_turn_row(const void *context, uint64_t number, double *cosine, double *sine,
                   void *memory);

#endif
