/* SPDX-License-Identifier: Apache-2.0
 * json_scan_parts.h - what the steps of json_scan.c are made of: places, failure, what is kept
 * and the array that is being read. Functions that return bool have failed with false. */
#ifndef PROTO_TEXT_JSON_SCAN_PARTS_H
#define PROTO_TEXT_JSON_SCAN_PARTS_H

#include "proto/text/json_scan.h"

/* Where the byte stands that is due. */
struct json_place json_scan_here(const struct json_scan *scan);
/* Always false. */
bool json_scan_fail(struct json_scan *scan, enum json_scan_state verdict,
                    struct json_place place, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The byte goes to what is left, unless its array is cut out. */
bool json_scan_keep(struct json_scan *scan, char byte);
/* The byte is done: the next place. */
void json_scan_pass(struct json_scan *scan, char byte);

/* Keeps and passes what is plain text of the piece, within a string: to its first quote,
 * backslash or control byte, or the limit of what is left. Returns how much. */
size_t json_scan_put_text(struct json_scan *scan, const char *at, const char *end);

/* The next byte of the rest is written where the byte that is due stands, though the bytes
 * before it are not in the rest. */
bool json_scan_add_cut(struct json_scan *scan);

/* ---- what Python writes, and what is passed over (json_scan_python.c) ---------------- */

/* The byte is the next one of a byte order mark. */
bool json_scan_is_mark(struct json_scan *scan, char byte);
/* The first { is due: a mark before it goes; false if it is not whole. */
bool json_scan_end_mark(struct json_scan *scan);
/* A minus sign is followed by a word that is taken. */
bool json_scan_is_infinity(const struct json_scan *scan, char byte);
/* The word in .token is NaN or an infinity that is taken: a text stands in its place. */
bool json_scan_is_python(struct json_scan *scan);
/* The quote behind a name is due: is its value skipped? */
void json_scan_end_name(struct json_scan *scan);
/* The first byte of the value is due. */
bool json_scan_begin_skip(struct json_scan *scan);
/* A byte behind a value is due: was that the one that is skipped? */
bool json_scan_end_skip(struct json_scan *scan);

/* ---- arrays ------------------------------------------------------------------------ */

/* A [ is due: it opens an array of numbers, or a row of the one that is being read. */
bool json_scan_open_array(struct json_scan *scan);
/* The ] of an array (a row) is due. */
bool json_scan_close_array(struct json_scan *scan);
/* Something that is no number and no array is due: the array is not one of numbers. */
bool json_scan_leave_array(struct json_scan *scan);
/* The number at .token_place; ignored outside arrays of numbers. */
bool json_scan_put_number(struct json_scan *scan, double number);
/* The same of the number in .token, whose digits are looked at. */
bool json_scan_put_token(struct json_scan *scan, double number);
/* As many numbers of the piece as are followed by commas; passes them. */
size_t json_scan_put_list(struct json_scan *scan, const char *at, const char *end,
                          const char **next);

#endif
