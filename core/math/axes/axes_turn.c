/* SPDX-License-Identifier: Apache-2.0
 * axes_turn.c - cosines and sines of the pairs of one place, or of the negative
 * angles. */
#include "core/math/axes/axes_turn.h"

size_t axes_turn_memory(const struct axes_turn *turn)
{
    return turn->source ? 2 * turn->axes->pairs * sizeof(double) : 0;
}

static void mixed_row(const struct axes_turn *turn, uint64_t number, double *cosine,
                      double *sine, double *own)
{
    const size_t pairs = turn->axes->pairs;

    axes_row(turn->axes, number, 0, pairs, own, own + pairs);
    for (size_t i = 0; i < 2 * pairs; i++) {
        cosine[i] = own[turn->source[i]];
        sine[i] = own[pairs + turn->source[i]];
    }
}

void axes_turn_row(const void *context, uint64_t number, const void *const input[],
                   double *cosine, double *sine, void *memory)
{
    const struct axes_turn *turn = context;
    const uint64_t heads = turn->row_heads > 0 ? turn->row_heads : 1;
    const size_t pairs = turn->axes->pairs / (size_t)heads;
    const size_t low = (size_t)(number % heads) * pairs;
    const size_t count = turn->source ? 2 * pairs : pairs;

    if (turn->source)
        mixed_row(turn, number, cosine, sine, memory);
    else
        axes_row(turn->axes, number / heads, low, low + pairs, cosine, sine);
    for (size_t i = 0; turn->inverse && i < count; i++)
        sine[i] = -sine[i];
}
