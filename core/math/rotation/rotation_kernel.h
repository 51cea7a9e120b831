/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.h - the inner loops of the fast road: rows of weighted sums of fine cosines
 * and sines, rounded once, with a mark on each row that holds a value near zero. */
#ifndef PE_MATH_ROTATION_KERNEL_H
#define PE_MATH_ROTATION_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

/* One wave of `count` pairs: value[j] = by_cos[j] * fine_cos[j] + by_sin[j] * fine_sin[j]. */
struct rotation_weights {
    const double *by_cos, *by_sin;
};

/* Where the values of a row go: one wave; two waves, each to its own place; two waves that
 * alternate in one place. */
enum rotation_layout { ROTATION_PLAIN, ROTATION_TWO, ROTATION_ALTERNATING };

/* What the weights of the second wave are to those of the first: {-by_sin, by_cos}, minus that,
 * or others. */
enum rotation_turn { ROTATION_ANY, ROTATION_QUARTER, ROTATION_MINUS_QUARTER };

/* `rows` rows; row r takes the fine row r * fine_step doubles on, and goes to out[i] + r *
 * out_step elements. near_zero[r] is set where a value, rounded as dtype, is at most
 * `near` in size: a number rounded likewise. Zeros of float32 may be negative (and are near
 * zero); of the others not. */
struct rotation_job {
    enum pe_dtype dtype; /* PE_F32, PE_F16 or PE_BF16 */
    enum rotation_layout layout;
    enum rotation_turn turn;
    struct rotation_weights weights[2]; /* the second unless ROTATION_PLAIN */
    const double *fine_cos, *fine_sin;
    ptrdiff_t fine_step;
    size_t rows, count;
    void *out[2]; /* the second for ROTATION_TWO */
    size_t out_step;
    float near;
    uint8_t *near_zero;
};

/* By the CPU path in use; all give the same bytes. */
void rotation_kernel(const struct rotation_job *job);

/* value rounded as dtype, which float32 holds exactly: what job.near must be made by. */
float rotation_kernel_round(enum pe_dtype dtype, double value);

#endif
