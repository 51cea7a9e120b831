/* SPDX-License-Identifier: Apache-2.0
 * json_numbers.h - JSON numbers as floats, correctly rounded (to nearest, ties to even), and
 * only what the grammar of RFC 8259 calls a number. */
#ifndef PROTO_TEXT_JSON_NUMBERS_H
#define PROTO_TEXT_JSON_NUMBERS_H

#include <stddef.h>

enum { JSON_NUMBERS_MAX_LEN = 1000 }; /* characters of one number */

enum json_numbers_state {
    JSON_NUMBERS_OK,
    JSON_NUMBERS_CUT,  /* the text ends within or right behind the number: it may go on */
    JSON_NUMBERS_BAD,  /* not a number of the grammar, or too long */
    JSON_NUMBERS_HUGE, /* rounds to infinity */
};

/* Reads the number at the start of [text, end), which must go on behind it: a number is
 * complete where another byte follows. *next is the byte behind it (OK, HUGE), the byte that
 * is wrong (BAD; json_numbers_fault says what would be right) or text (CUT). *value is set
 * for OK only; -0 keeps its sign. */
enum json_numbers_state json_numbers_f64(const char *text, const char *end, double *value,
                                         const char **next);
/* As json_numbers_f64, rounded directly to float32: never by way of a double. */
enum json_numbers_state json_numbers_f32(const char *text, const char *end, float *value,
                                         const char **next);

/* Reads the numbers of "1, 2.5,3]" that a comma follows, at most `capacity`; returns their
 * number. Whitespace may stand before and behind the commas. *next is the place behind the
 * last comma (and whitespace) that was read; the caller reads on with json_numbers_f64. */
size_t json_numbers_f64_list(const char *text, const char *end, double *values, size_t capacity,
                             const char **next);
size_t json_numbers_f32_list(const char *text, const char *end, float *values, size_t capacity,
                             const char **next);

/* The reason why json_numbers_f64 called the text BAD: "a digit must follow the decimal
 * point". Static. */
const char *json_numbers_fault(const char *text, const char *end);

#endif
