/* SPDX-License-Identifier: Apache-2.0
 * content_coding.h - content codings of responses (RFC 9110, 8.4 and 12.5.3): which responses
 * have a gzip variant, and whether a client accepts it. inflate.h decodes bodies. */
#pragma once

#include <stdbool.h>

#include "core/posenc.h"

struct format;

enum content_coding { CONTENT_CODING_IDENTITY, CONTENT_CODING_GZIP };

/* The least bytes of a response that is worth compressing. */
enum { CONTENT_CODING_LEAST = 1024 };

/* Returns whether numbers of the family repeat themselves, so that any format shrinks well. */
bool content_coding_repeats(enum pe_family family);
/* Returns whether responses of this format and family are worth compressing: text and binary
 * matrices that repeat themselves; floats of embeddings keep nine tenths of their bytes. */
bool content_coding_suits(const struct format *format, enum pe_family family);

struct content_coding_accept {
    bool identity; /* acceptable */
    bool gzip;     /* acceptable, and its weight is at least identity's */
};
/* Reads the value of Accept-Encoding (may be NULL; several lines are joined). Without the
 * header gzip is not acceptable. */
struct content_coding_accept content_coding_accept(const char *field);
