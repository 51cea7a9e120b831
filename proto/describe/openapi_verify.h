/* SPDX-License-Identifier: Apache-2.0
 * openapi_verify.h - what OpenAPI says of /v1/verify: names, bodies and the answer. */
#pragma once

#include "proto/text/buffer.h"

/* Writes the members "parameters" and "requestBody" of the operation, each with its comma. */
void openapi_verify_write_request(struct buffer *out);
/* Writes the schema of the answer, a member of the schemas, with its comma. */
void openapi_verify_write_schema(struct buffer *out);
