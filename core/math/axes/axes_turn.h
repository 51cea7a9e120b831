/* SPDX-License-Identifier: Apache-2.0
 * axes_turn.h - the rows of a table of several axes, for the kernel that rotates vectors. */
#ifndef PE_MATH_AXES_TURN_H
#define PE_MATH_AXES_TURN_H

#include "core/math/axes/axes.h"
#include "core/math/rotate/rotate.h"

struct axes_turn {
    const struct axes *axes;
    bool inverse;     /* rotate by the negative angle */
    size_t row_heads; /* heads whose pairs follow one another in axes; 0: all share them */
    /* [2][pairs]: whose waves the first coordinate of each pair takes, whose the second (a
     * span's `apart`); NULL: both the pair's own */
    const uint32_t *source;
};

/* A rotate_turn; its context is a struct axes_turn. */
void axes_turn_row(const void *context, uint64_t number, double *cosine, double *sine,
                   void *memory);
/* struct rotate's memory_bytes. */
size_t axes_turn_memory(const struct axes_turn *turn);

#endif
