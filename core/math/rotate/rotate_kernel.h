/* SPDX-License-Identifier: Apache-2.0
 * rotate_kernel.h - the inner loops of rotate.h, compiled once for each CPU path. */
#pragma once

#include "core/math/rotate/rotate_span.h"

/* Vectors that one row of cosines and sines rotates; in_dtype has rounded the row already. */
struct rotate_job {
    const struct rotate_span *span;
    const double *cosine, *sine;
    const void *in;
    void *out, *kept; /* kept is a buffer for a span of dtype `from` */
    size_t count;
};

/* Runs the job on the CPU path in use; all paths give the same bytes. */
void rotate_kernel(const struct rotate_job *job);
