/* SPDX-License-Identifier: Apache-2.0
 * float_text.h - numbers as the shortest decimal text that reads back to the same float.
 *
 * Form: as ECMAScript's Number.prototype.toString (decimal point for 1e-6 <= |x| < 1e21,
 * else 1.5e-9, and 1e21 without its plus sign: valid JSON and URLs), -0 is "0". Of the
 * shortest texts the one nearest to the value. NaN and infinities are the callers' matter
 * (assert). Nothing is NUL-terminated. */
#ifndef PE_FLOAT_TEXT_H
#define PE_FLOAT_TEXT_H

#include <stddef.h>

enum { FLOAT_TEXT_F32_MAX = 32, FLOAT_TEXT_F64_MAX = 40 }; /* room to write one number */

char *float_text_f32(char *out, float value); /* returns the end */
char *float_text_f64(char *out, double value);

/* "a,b,c" without a trailing comma; room for count * (MAX + 1). Returns the end. All finite. */
char *float_text_f32_list(char *out, const float *values, size_t count);
char *float_text_f64_list(char *out, const double *values, size_t count);

#endif
