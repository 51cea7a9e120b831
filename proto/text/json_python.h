/* SPDX-License-Identifier: Apache-2.0
 * json_python.h - what Python writes beyond JSON, and values that are skipped. Functions
 * that return bool for a byte say whether they take it. */
#ifndef PROTO_TEXT_JSON_PYTHON_H
#define PROTO_TEXT_JSON_PYTHON_H

#include "proto/text/json_scan.h"

/* The byte is the next one of a byte order mark. */
bool json_python_is_mark(struct json_scan *scan, char byte);
/* The first { is the next byte: removes the mark before it; false if the mark is not whole. */
bool json_python_end_mark(struct json_scan *scan);
/* A minus sign is followed by the first letter of Infinity, which is taken. */
bool json_python_is_infinity(const struct json_scan *scan, char byte);
/* The word in .token is NaN or an infinity and is taken: a text stands in its place. */
bool json_python_is_word(struct json_scan *scan);
/* The quote behind a name is the next byte: finds out whether the value is skipped. */
void json_python_end_name(struct json_scan *scan);
/* The first byte of a value that is skipped is the next byte. */
bool json_python_begin_skip(struct json_scan *scan);
/* A byte behind a value is the next byte: ends the skipping if the value was skipped. */
bool json_python_end_skip(struct json_scan *scan);

#endif
