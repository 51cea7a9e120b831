/* SPDX-License-Identifier: Apache-2.0
 * openapi.h - writes OpenAPI 3.1 of the whole service, from endpoints.def and the registry. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the document with the paths of all encodings. base: the prefix of every path, or
 * "". */
void openapi_write(struct buffer *out, const char *base);
/* Reads the query "encoding=rope,alibi" and writes the document with the paths of these
 * encodings alone; the other paths are always there. For an unknown name a problem is added to
 * *errors. */
enum pe_status openapi_write_part(struct buffer *out, const char *base, const char *query,
                                  size_t len, struct pe_errors *errors);
