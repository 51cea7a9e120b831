/* SPDX-License-Identifier: Apache-2.0
 * openapi_route.h - what OpenAPI says of an endpoint that is no encoding, from a row of
 * openapi_routes.def for each of its methods. */
#pragma once

#include <stdbool.h>

#include "proto/http/endpoint.h"
#include "proto/text/buffer.h"

/* Returns whether the endpoint is a path of the document: it is neither an encoding's, whose
 * paths are written for each encoding, nor a page for people, nor of another protocol. */
bool openapi_route_is_documented(const struct endpoint *endpoint);
/* Writes "/v1/models":{"get":{...}}. */
void openapi_route_write(struct buffer *out, const struct endpoint *endpoint);
