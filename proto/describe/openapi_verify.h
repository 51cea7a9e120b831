/* SPDX-License-Identifier: Apache-2.0
 * openapi_verify.h - what OpenAPI says of the query of /v1/verify. */
#pragma once

#include "proto/text/buffer.h"

/* Writes the member "parameters" of the operation. */
void openapi_verify_write_parameters(struct buffer *out);
