/* SPDX-License-Identifier: Apache-2.0
 * json_got.h - what a body has in place of a right value, for the end of an error. */
#pragma once

#include "proto/text/json_body.h"

enum { JSON_GOT_SIZE = 64 };

/* Writes a number, a word or a text as the body has it ("BYTES", cut after 40 bytes), else the
 * kind of the value: "an object", "an array of 3 numbers". Returns text. */
const char *json_got(const struct json_body_value *value, char text[JSON_GOT_SIZE]);
