/* SPDX-License-Identifier: Apache-2.0
 * openapi_components.h - the components that the paths of the OpenAPI document refer to. */
#pragma once

#include <stdbool.h>

#include "proto/text/buffer.h"

/* Writes {"schemas":{...},"parameters":{...},"responses":{...},"headers":{...}}; wanted[i]:
 * with the parts of encoding i. */
void openapi_components_write(struct buffer *out, const bool *wanted);
