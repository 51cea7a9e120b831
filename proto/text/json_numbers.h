/* SPDX-License-Identifier: Apache-2.0
 * json_numbers.h - reads JSON numbers as doubles, correctly rounded (to nearest, ties to even),
 * and accepts only the grammar of RFC 8259. */
#pragma once

#include <stddef.h>

enum { JSON_NUMBERS_MAX_LEN = 1000 }; /* most characters of a number */

enum json_numbers_state {
    JSON_NUMBERS_OK,
    JSON_NUMBERS_CUT,  /* the text ends within or right behind the number, which may go on */
    JSON_NUMBERS_BAD,  /* text not of the grammar, or too long */
    JSON_NUMBERS_HUGE, /* the number rounds to infinity */
};

/* Reads the number at the start of [text, end). The number is complete only if another byte
 * follows it. *next is the byte behind it (OK, HUGE), the byte that is wrong (BAD;
 * json_numbers_fault says what would be right) or text (CUT). *value is set for OK only; -0
 * keeps its sign. */
enum json_numbers_state json_numbers_f64(const char *text, const char *end, double *value,
                                         const char **next);

/* Reads the numbers of "1, 2.5,3]" that a comma follows, at most `capacity`; returns their
 * count. Whitespace may stand before and behind the commas. *next is the place behind the last
 * comma (and whitespace) that was read; the caller reads on with json_numbers_f64. */
size_t json_numbers_f64_list(const char *text, const char *end, double *values, size_t capacity,
                             const char **next);

/* Returns the reason why json_numbers_f64 called the text BAD: "a digit must follow the decimal
 * point". The text is static. */
const char *json_numbers_fault(const char *text, const char *end);
