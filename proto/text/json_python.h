/* SPDX-License-Identifier: Apache-2.0
 * json_python.h - Python's extensions of JSON, and values that are skipped. Functions that
 * return bool for a byte say whether they consume it. */
#pragma once

#include "proto/text/json_scan.h"

/* Returns whether the byte is the next one of a byte order mark. */
bool json_python_is_mark(struct json_scan *scan, char byte);
/* Removes the byte order mark before the first {, the next byte; false if it is not whole. */
bool json_python_end_mark(struct json_scan *scan);
/* Returns whether the byte, behind a minus sign, is the first letter of Infinity. */
bool json_python_is_infinity(const struct json_scan *scan, char byte);
/* Returns whether the word in .token is NaN or an infinity, and replaces it by a string. */
bool json_python_is_word(struct json_scan *scan);
/* Finds out whether a member's value is skipped; the next byte is the quote behind its name. */
void json_python_end_name(struct json_scan *scan);
/* Begins to skip a value, if it is to be skipped; the next byte is the value's first one. */
bool json_python_begin_skip(struct json_scan *scan);
/* Ends the skipping, if the value was skipped; the next byte is the one behind the value. */
bool json_python_end_skip(struct json_scan *scan);
