/* SPDX-License-Identifier: Apache-2.0
 * rotate_short.h - the inner loops of rotate.h for vectors of 16-bit elements whose dtype
 * stays: twice as many at a time as doubles allow. */
#pragma once

#include "core/math/rotate/rotate_kernel.h"

/* True when rotate_short serves the span in place of rotate_kernel. */
bool rotate_short_serves(const struct rotate_span *span);
void rotate_short(const struct rotate_job *job, void *scratch);
