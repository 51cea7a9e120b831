/* SPDX-License-Identifier: Apache-2.0
 * elements.h - prints elements of any dtype as text with commas between them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

enum { ELEMENTS_TEXT_MAX = 41 }; /* bytes of one element and its comma */

/* Prints count elements without a comma at the end, in at most count * ELEMENTS_TEXT_MAX bytes.
 * Reals have their shortest digits, f16 and bf16 those of the float32 they widen to; integers
 * and booleans are decimal. NaN and infinities are the words NaN, Infinity, -Infinity, quoted
 * for JSON, and set *nonfinite (which is never made false). Returns the end. */
char *elements_print(char *out, enum pe_dtype dtype, const void *in, size_t count, bool quoted,
                     bool *nonfinite);

/* Returns whether some element is NaN or infinite (never for integers). */
bool elements_have_nonfinite(enum pe_dtype dtype, const void *in, size_t count);
