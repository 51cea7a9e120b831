/* SPDX-License-Identifier: Apache-2.0
 * openapi_answer.h - what OpenAPI says of an encoding's answer: facts, tensors, media types. */
#pragma once

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the schemas of the encoding's JSON: "RopeAnswer":{...},"RopeTensor":{...}. */
void openapi_answer_write_schemas(struct buffer *out, const struct pe_encoding *enc);
/* Writes the component of the encoding's response 200: "Rope":{...}. */
void openapi_answer_write_response(struct buffer *out, const struct pe_encoding *enc);
/* Writes the component of the response 206 of all encodings: "Partial":{...}. */
void openapi_answer_write_partial(struct buffer *out);
