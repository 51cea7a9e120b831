/* SPDX-License-Identifier: Apache-2.0
 * rope.h - arguments and outputs of rope, for the files that make it up. */
#pragma once

#include "core/encodings/rotary/ladder.h"

enum {
    ROPE_COS,
    ROPE_SIN,
    ROPE_INV_FREQ,
    ROPE_WAVELENGTHS,
    ROPE_MATRIX,
    ROPE_ATTENTION_FACTOR,
    ROPE_TURNS,
    ROPE_KEPT,
    ROPE_EFFECTIVE_BASE,
    ROPE_NTK_ALPHA,
    ROPE_TABLE,
    ROPE_MIN_THETA,
    ROPE_DECAY,
    ROPE_SIMILARITY,
    ROPE_CONTEXT_TURNS,
    ROPE_CRITICAL_DIM,
    ROPE_ANGLES,
};
enum { ROPE_PAIRING_HALF, ROPE_PAIRING_ADJACENT };
enum { ROPE_WIDTH_HALF, ROPE_WIDTH_FULL };
enum { ROPE_ORDER_COS_SIN, ROPE_ORDER_SIN_COS, ROPE_ORDER_INTERLEAVED };

struct rope {
    struct ladder ladder;
    const struct pe_positions *pos, *distance;
    int pairing, width, table_order, preset;
    double context;
};
_Static_assert(offsetof(struct rope, ladder) == 0, "ladder_first hooks read it there");

/* The prepare hook of rope. */
void rope_fill_prepare(struct pe_build *build, const void *values);

/* Fills decay and similarity, where wanted, from the frequencies and profile of `rotation`;
 * its amplitude and bands are not used. */
void rope_decay_prepare(struct pe_build *build, const struct pe_positions *distance,
                        const struct rotation *rotation);
