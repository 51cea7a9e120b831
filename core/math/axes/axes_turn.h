/* SPDX-License-Identifier: Apache-2.0
 * axes_turn.h - the rows of a table of several axes, for the kernel that rotates vectors. */
#pragma once

#include "core/math/axes/axes.h"
#include "core/math/rotate/rotate.h"

struct axes_turn {
    const struct axes *axes;
    bool inverse; /* rotate by the negative angle */
    /* Heads that have pairs of their own, one after the other; 0: all heads share the pairs. */
    size_t row_heads;
    /* [2][pairs]: the pair whose waves the first coordinate of each pair takes, and the pair
     * whose waves the second one takes (a span's `apart`); NULL: both take their own pair's. */
    const uint32_t *source;
};

/* The rotate_turn function; its context is a struct axes_turn. */
void axes_turn_row(const void *context, uint64_t number, const void *const input[],
                   double *cosine, double *sine, void *memory);
/* Returns the memory_bytes of struct rotate for this turn. */
size_t axes_turn_memory(const struct axes_turn *turn);
