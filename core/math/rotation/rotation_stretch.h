/* SPDX-License-Identifier: Apache-2.0
 * rotation_stretch.h - what one fill by the fast path works on, and the stretches of positions
 * into which it is divided. */
#pragma once

#include "core/math/rotation/rotation_kernel.h"
#include "core/math/rotation/rotation_lane.h"

struct rotation_memory;

/* Data that all stretches of a fill share. */
struct rotation_fast {
    const struct rotation *rotation;
    const struct pe_rect *rect;
    enum pe_dtype dtype;
    size_t element; /* bytes of an element */
    void *const *out;
    const struct rotation_fine *fine;
    bool strided;                   /* fine rows are those of the stride of the positions */
    struct rotation_memory *memory; /* rotation_coarse.h */
    bool fits;                      /* the coarse rows of all spans fit side by side */
    double *coarse;                 /* [4][count]: cos, sin, -sin, -cos of the current span */
};

/* A stretch: rows row .. row+rows-1 of the rectangle, with positions first, first + step, ...
 * and one coarse row; position = sign * (coarse + position of the fine row). */
struct rotation_stretch {
    uint64_t row, rows;
    int64_t first, step;
    int64_t coarse, fine, fine_step;
    bool negative;
    bool sure; /* values are those of the direct path to the last bit */
};

/* Returns the stretch that begins at `row` of the rectangle, at position run->first. */
struct rotation_stretch rotation_stretch_of(const struct rotation_fast *fast, uint64_t row,
                                            const struct pe_run *run);

/* Returns the weights of a wave from the coarse row, by the addition theorem; for negative
 * positions the sine is negated. */
struct rotation_weights rotation_stretch_weights(const struct rotation_fast *fast,
                                                 const struct rotation_lane *lane,
                                                 bool negative);

/* Returns where the element of pair lane->first + j is written in a row of the rectangle. */
static inline void *rotation_stretch_element(const struct rotation_fast *fast,
                                             const struct rotation_lane *lane, uint64_t row,
                                             size_t j)
{
    const uint64_t at = row * fast->rect->cols + lane->start + lane->step * j;

    return (char *)fast->out[lane->slot] + at * fast->element;
}
