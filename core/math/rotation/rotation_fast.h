/* SPDX-License-Identifier: Apache-2.0
 * rotation_fast.h - the fast path: typed rectangles by angle addition. */
#pragma once

#include "core/math/rotation/rotation_state.h"

/* Fills a rectangle, or returns false when it is to be evaluated directly (see rotation.h). */
bool rotation_fast_fill(const void *state, const struct pe_rect *rect, enum pe_dtype dtype,
                        void *const out[], void *scratch);

/* Returns the bytes of scratch for any rectangle of at most `elements` elements. */
size_t rotation_fast_scratch(const void *state, uint64_t elements);
