/* SPDX-License-Identifier: Apache-2.0
 * openapi_encoding.h - what OpenAPI says of one encoding: a path with GET and POST. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"
#include "proto/request/param_names.h"
#include "proto/text/buffer.h"

/* Returns whether the document offers a name of param_names to requests for the encoding: not a
 * model's name where no model has the encoding, nor a layer's where no such model has layers
 * that differ. */
bool openapi_encoding_offers(const struct pe_encoding *enc, const struct pe_param *param);
/* Writes "/v1/rope":{"get":{...},"post":{...}}. */
void openapi_encoding_write_path(struct buffer *out, const struct pe_encoding *enc);
