/* SPDX-License-Identifier: Apache-2.0
 * openapi_value.h - examples: the text of a query as a JSON value that the parameter's schema
 * allows. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the value: 8, true, "0:4", "half"; `several` of a choice's names, joined by commas in
 * the text, become an array. */
void openapi_value_write(struct buffer *out, const struct pe_param *param, const char *text,
                         bool several);
