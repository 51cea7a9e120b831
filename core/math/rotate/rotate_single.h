/* SPDX-License-Identifier: Apache-2.0
 * rotate_single.h - the inner loops of rotate.h for float32 vectors whose dtype stays: the
 * bytes of rotate_kernel, computed in registers. */
#pragma once

#include "core/math/rotate/rotate_kernel.h"

/* True when rotate_single serves the span in place of rotate_kernel. */
bool rotate_single_serves(const struct rotate_span *span);
void rotate_single(const struct rotate_job *job);
