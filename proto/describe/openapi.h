/* SPDX-License-Identifier: Apache-2.0
 * openapi.h - writes OpenAPI 3.1 of the whole service, from endpoints.def and the registry. */
#ifndef PROTO_OPENAPI_H
#define PROTO_OPENAPI_H

#include "proto/text/buffer.h"

void openapi_write(struct buffer *out, const char *base);

#endif
