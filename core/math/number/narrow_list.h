/* SPDX-License-Identifier: Apache-2.0
 * narrow_list.h - lists of doubles as float16 or bfloat16 (narrow.h), in the CPU's widest
 * registers. */
#ifndef PE_MATH_NARROW_LIST_H
#define PE_MATH_NARROW_LIST_H

#include <stddef.h>

/* out (any alignment) receives the elements of in[0..done), and done is returned: what comes
 * behind holds NaN or an infinity soon, or is too short to pay. */
size_t narrow_list_bf16(void *out, const double *in, size_t count);
size_t narrow_list_f16(void *out, const double *in, size_t count);

#endif
