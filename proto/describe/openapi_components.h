/* SPDX-License-Identifier: Apache-2.0
 * openapi_components.h - what the paths of the OpenAPI document refer to. */
#ifndef PROTO_OPENAPI_COMPONENTS_H
#define PROTO_OPENAPI_COMPONENTS_H

#include "proto/text/buffer.h"

/* {"schemas":{...},"parameters":{...},"responses":{...},"headers":{...}} */
void openapi_components_write(struct buffer *out);

#endif
