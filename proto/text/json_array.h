/* SPDX-License-Identifier: Apache-2.0
 * json_array.h - decodes the array of numbers that a scan is reading. A function that returns
 * bool has failed if it returns false. */
#pragma once

#include "proto/text/json_scan.h"

/* Opens an array of numbers, or a row of the array that is being read; the next byte is the
 * [. */
bool json_array_open(struct json_scan *scan);
/* Closes the array, or a row of it; the next byte is the ]. */
bool json_array_close(struct json_scan *scan);
/* Stops decoding the array: a value that is neither a number nor an array comes next. */
bool json_array_abandon(struct json_scan *scan);
/* Adds the number at .token_place, whose text is text[0..len). */
bool json_array_put_text(struct json_scan *scan, double number, const char *text, size_t len);
/* Adds the number whose text is in .token; outside arrays of numbers it is ignored, unless no
 * double holds it. */
bool json_array_put_token(struct json_scan *scan, double number);
/* Adds the word in .token as a number, or stops decoding the array if it is none. */
bool json_array_put_word(struct json_scan *scan);
/* Adds the numbers of the piece that commas follow, and passes their bytes. */
size_t json_array_put_list(struct json_scan *scan, const char *at, const char *end,
                           const char **next);
/* Finds the array with that path in a finished scan; NULL if there is none. */
const struct json_array *json_array_find(const struct json_scan *scan, const uint32_t *path,
                                         size_t depth);
