/* SPDX-License-Identifier: Apache-2.0
 * openapi.h - writes OpenAPI 3.1 of the whole service, from endpoints.def and the registry. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

/* Writes the document with the paths of all encodings. base: the prefix of every path, or
 * "". */
void openapi_write(struct buffer *out, const char *base);

/* The encodings whose paths a part of the document has; the other paths are always there. */
enum { OPENAPI_ENCODINGS_MAX = 512 };
struct openapi_part {
    bool wanted[OPENAPI_ENCODINGS_MAX]; /* by pe_index */
};
/* Reads the query "encoding=rope,alibi". For an unknown name a problem is added to *errors. */
enum pe_status openapi_part_read(struct openapi_part *part, const char *query, size_t len,
                                 struct pe_errors *errors);
/* Writes the names of the part in the order of the registry, "alibi,rope". */
void openapi_part_write_names(struct buffer *out, const struct openapi_part *part);
void openapi_write_part(struct buffer *out, const char *base, const struct openapi_part *part);
