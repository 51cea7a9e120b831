/* SPDX-License-Identifier: Apache-2.0
 * rotation_kernel.h - the inner loops of the fast path: rows of weighted sums of fine cosines
 * and sines, rounded once, with a mark on each row that holds a value to look at. */
#pragma once

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

/* How the weights of the second wave follow from those of the first: {-by_sin, by_cos}, the
 * negative of that, or otherwise. */
enum rotation_turn { ROTATION_ANY, ROTATION_QUARTER, ROTATION_MINUS_QUARTER };

/* `rows` rows. Row r reads the fine row r * fine_step doubles further on and is written at
 * out[i] + r * out_step elements. marked[r] is set where a value, rounded to dtype, is at most
 * `near` in size, a number rounded in the same way; and, unless `apart` is 0, where a number
 * within `apart` of a value is rounded to another one (in some other rows too). Zeros of
 * float32 may be negative (they are near zero); zeros of other types are positive. */
struct rotation_job {
    enum pe_dtype dtype; /* PE_F32, PE_F16 or PE_BF16 */
    enum rotation_layout layout;
    enum rotation_turn turn;
    struct rotation_weights weights[2]; /* weights of both waves; ROTATION_PLAIN has one */
    /* Where the weights are 1 and 0: the fine rows that the waves are, each times its sign (1
     * or -1). Then nothing is marked, and all zeros are positive. Otherwise NULL. */
    const double *copied[2];
    double sign[2];
    const double *fine_cos, *fine_sin;
    ptrdiff_t fine_step;
    size_t rows, count;
    void *out[2]; /* places of the waves; only ROTATION_TWO has two */
    size_t out_step;
    float near;
    double apart; /* 0, or at least 2^-100 and below near / 2^30; near is normal in dtype */
    uint8_t *marked;
};

/* Runs the job on the CPU path in use; all paths give the same bytes. */
void rotation_kernel(const struct rotation_job *job);
/* The parts of rotation_kernel that serve jobs which copy, and jobs with `apart`. */
void rotation_copy(const struct rotation_job *job);
void rotation_middle(const struct rotation_job *job);

/* Rounds value to dtype, as a float32, which holds it exactly; job.near is computed by it. */
float rotation_kernel_round(enum pe_dtype dtype, double value);
