/* SPDX-License-Identifier: Apache-2.0
 * axes_turn.c - cosines and sines of the pairs of one place, forth or back. */
#include "core/math/axes_turn.h"

void axes_turn_row(const void *context, uint64_t number, double *cosine, double *sine,
                   void *memory)
{
    const struct axes_turn *turn = context;

    (void)memory;
    axes_row(turn->axes, number, cosine, sine);
    for (size_t i = 0; turn->inverse && i < turn->axes->pairs; i++)
        sine[i] = -sine[i];
}
