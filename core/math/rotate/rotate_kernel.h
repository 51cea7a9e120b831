/* SPDX-License-Identifier: Apache-2.0
 * rotate_kernel.h - the inner loops of rotate.h, compiled once for each CPU path. */
#ifndef PE_MATH_ROTATE_KERNEL_H
#define PE_MATH_ROTATE_KERNEL_H

#include "core/math/rotate/rotate_span.h"

/* Vectors of one row of cosines and sines; in_dtype's rounding of them is done. */
struct rotate_job {
    const struct rotate_span *span;
    const double *cosine, *sine;
    const void *in;
    void *out, *kept; /* kept: room for a span, as `from` */
    size_t count;
};

/* By the CPU path in use; all give the same bytes. */
void rotate_kernel(const struct rotate_job *job);

#endif
