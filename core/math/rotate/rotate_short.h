/* SPDX-License-Identifier: Apache-2.0
 * rotate_short.h - the inner loops of rotate.h for vectors of 16-bit elements that stay so:
 * twice as many at a time as doubles allow. */
#ifndef PE_MATH_ROTATE_SHORT_H
#define PE_MATH_ROTATE_SHORT_H

#include "core/math/rotate/rotate_kernel.h"

/* True for what rotate_short does in place of rotate_kernel. */
bool rotate_short_serves(const struct rotate_span *span);
/* Room for the rows in halves of floats: 64-byte aligned. */
size_t rotate_short_bytes(const struct rotate_span *span);
void rotate_short(const struct rotate_job *job, void *room);

#endif
