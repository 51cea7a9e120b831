/* SPDX-License-Identifier: Apache-2.0
 * narrow_list.h - converts lists of doubles to float32, float16 or bfloat16 (narrow.h), in the
 * widest registers of the CPU. */
#pragma once

#include <stddef.h>

/* Convert in[0..done) into out (of any alignment) and return done: the rest holds NaN or an
 * infinity in its first block, or is too short to pay. */
size_t narrow_list_bf16(void *out, const double *in, size_t count);
size_t narrow_list_f16(void *out, const double *in, size_t count);
/* Convert in[0..done) into float32 at out (of any alignment), infinities and NaN too, and
 * return done: the rest is too short to pay. */
size_t narrow_list_f32(void *out, const double *in, size_t count);
