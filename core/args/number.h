/* SPDX-License-Identifier: Apache-2.0
 * number.h - numbers of parameters as text: a strict reader and a canonical writer. Private to
 * core; the numbers of answers are written by core/text/float_text.h alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NUMBER_TEXT_MAX = 40 };

/* Parses the whole text as a decimal number: [-] digits [. digits] [e [+-] digits], with at
 * least one digit before the exponent, finite. Hexadecimal, spaces and "inf" are refused. */
bool number_parse(const char *text, size_t len, double *value);
/* Parses the whole text as [-] digits, within +-2^62. */
bool number_parse_whole(const char *text, size_t len, int64_t *value);
/* Writes the shortest text that reads back to the same double, in ECMAScript's form ("10000",
 * "0.1"; "1e+21" becomes "1e21"), NUL-terminated; returns its length. Finite values only. */
size_t number_print(char text[NUMBER_TEXT_MAX], double value);
