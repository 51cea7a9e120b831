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

/* Where the values of a row go: one wave after another, or two alternating in one row. */
enum rotation_layout { ROTATION_PLAIN, ROTATION_ALTERNATING };

/* `rows` rows; row r takes the fine row r * fine_step doubles on, and goes to out + r *
 * out_step elements; near_zero[r] is set where a value's size is below `threshold`. */
struct rotation_job {
    enum pe_dtype dtype; /* PE_F32, PE_F16 or PE_BF16 */
    enum rotation_layout layout;
    struct rotation_weights weights[2]; /* the second for ROTATION_ALTERNATING only */
    const double *fine_cos, *fine_sin;
    ptrdiff_t fine_step;
    size_t rows, count;
    void *out;
    size_t out_step;
    double threshold;
    uint8_t *near_zero;
};

/* By the CPU path in use; all give the same bytes. */
void rotation_kernel(const struct rotation_job *job);

#endif
