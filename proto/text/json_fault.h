/* SPDX-License-Identifier: Apache-2.0
 * json_fault.h - errors of jansson in a document that the scanner has passed. */
#pragma once

#include <jansson.h>

#include "proto/text/buffer.h"

/* Returns the sentence of an error that jansson can still report after the scanner; NULL: any
 * other error of jansson is a lack of memory. */
const char *json_fault_says(enum json_error_code code);
/* Finds the byte of the rest that an error is about. jansson counts up to a byte that is not
 * UTF-8, but to the end of a duplicate name, whose first quote is the fault. */
size_t json_fault_find(const struct buffer *rest, const json_error_t *error);
