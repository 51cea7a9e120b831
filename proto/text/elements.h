/* SPDX-License-Identifier: Apache-2.0
 * elements.h - elements of any dtype as text with commas between. */
#ifndef PROTO_ELEMENTS_H
#define PROTO_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum { ELEMENTS_TEXT_MAX = 41 }; /* bytes of one element and its comma */

/* Prints count elements without a comma at the end, in at most count * ELEMENTS_TEXT_MAX
 * bytes. Reals: shortest digits, f16 and bf16 as the float32 they widen to; integers and
 * booleans in decimal. NaN and infinities: the words NaN, Infinity, -Infinity, quoted for
 * JSON, and *nonfinite becomes true (it is never made false). Returns the end. */
char *elements_print(char *out, enum pe_dtype dtype, const void *in, size_t count, bool quoted,
                     bool *nonfinite);

/* True if some element is NaN or infinite (never for integers). */
bool elements_have_nonfinite(enum pe_dtype dtype, const void *in, size_t count);

#endif
