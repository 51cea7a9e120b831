/* SPDX-License-Identifier: Apache-2.0
 * openapi.h - writes OpenAPI 3.1 of the whole service, from endpoints.def and the registry. */
#pragma once

#include "proto/text/buffer.h"

void openapi_write(struct buffer *out, const char *base);
