/* SPDX-License-Identifier: Apache-2.0
 * float_text.h - writes a number as the shortest decimal text that reads back to the same
 * float.
 *
 * The form is that of ECMAScript's Number.prototype.toString: a decimal point for 1e-6 <= |x| <
 * 1e21, else 1.5e-9, and 1e21 without its plus sign, which is valid in JSON and in URLs; -0 is
 * "0". Of several shortest texts it is the one nearest to the value. The caller handles NaN and
 * infinities (assert). No text is NUL-terminated. */
#pragma once

#include <stddef.h>

enum {
    FLOAT_TEXT_F32_MAX = 32,
    FLOAT_TEXT_F64_MAX = 40
}; /* bytes that writing one number may
                                                            * touch */

char *float_text_f32(char *out, float value); /* returns the end of the text */
char *float_text_f64(char *out, double value);
/* Writes a bound as people write it: ten zeros and more at the end of a whole number are an
 * exponent, "1e18". For sentences and descriptions; the canonical form of a request has all
 * digits. */
char *float_text_bound(char *out, double value);

/* Writes "a,b,c" without a trailing comma and returns its end; out has count * (MAX + 1) bytes.
 * All values are finite. */
char *float_text_f32_list(char *out, const float *values, size_t count);
char *float_text_f64_list(char *out, const double *values, size_t count);
