/* SPDX-License-Identifier: Apache-2.0
 * number.h - numbers of parameters as text: a strict reader and a canonical writer.
 * Private to core; the numbers of answers are written by core/text/float_text.h alone. */
#ifndef PE_NUMBER_H
#define PE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_MAX = 40 };

/* The whole text as a decimal number: [-] digits [. digits] [e [+-] digits], at least one
 * digit before the exponent, finite. No hexadecimal, no spaces, no "inf". */
bool number_parse(const char *text, size_t len, double *value);
/* The whole text as [-] digits, within +-2^62. */
bool number_parse_whole(const char *text, size_t len, int64_t *value);
/* Shortest text that reads back to the same double, in ECMAScript's form ("10000", "0.1",
 * "1e+21" is written "1e21"); NUL-terminated; returns the length. Finite values only. */
size_t number_print(char text[NUMBER_TEXT_MAX], double value);

#endif
