/* SPDX-License-Identifier: Apache-2.0
 * json_whole.h - whole numbers of a body beyond 2^53, which no double may hold: beside the
 * double there is its rest, what it lacks to the number that was written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/json_body.h"

/* The rest of a number with a fraction, which is no whole number. */
#define JSON_WHOLE_FRACTION INT16_MIN

/* Returns the rest of a number in text[0..len) that was read as that double: 0 below 2^53 in
 * size and from 2^64 on; at most 1,024 in size otherwise. */
int16_t json_whole_rest(const char *text, size_t len, double value);
/* Gets the number i of a value (JSON_BODY_NUMBER has one) exactly; false if it is not whole, or
 * beyond int64. */
bool json_whole_get(const struct json_body_value *value, size_t i, int64_t *whole);
/* Gets the number i, if it is from 0 to 2^53, as lengths are. */
bool json_whole_length(const struct json_body_value *value, size_t i, uint64_t *length);
/* Writes the number i as the body has it, up to the last digit if it is whole, or "a fraction
 * near" a double. Returns text. */
enum { JSON_WHOLE_TEXT_SIZE = 48 };
const char *json_whole_print(const struct json_body_value *value, size_t i,
                             char text[JSON_WHOLE_TEXT_SIZE]);
