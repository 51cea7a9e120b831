/* SPDX-License-Identifier: Apache-2.0
 * content_coding.h - content codings of answers (RFC 9110, 8.4 and 12.5.3): which answers have
 * a gzip variant, and whether a client wants it. What bodies may have is inflate.h's. */
#ifndef PROTO_CONTENT_CODING_H
#define PROTO_CONTENT_CODING_H

#include <stdbool.h>

#include "core/posenc.h"

struct format;

enum content_coding { CONTENT_CODING_PLAIN, CONTENT_CODING_GZIP };

/* An answer shorter than this gains nothing. */
enum { CONTENT_CODING_LEAST = 1024 };

/* Answers of this format and family are worth compressing: text is, and in binary the matrices
 * that repeat themselves; the floats of embeddings keep nine tenths of their bytes. */
bool content_coding_suits(const struct format *format, enum pe_family family);

struct content_coding_accept {
    bool plain; /* identity is acceptable */
    bool gzip;  /* acceptable, and its weight is not below identity's */
};
/* Reads the value of Accept-Encoding, joined if it came in several lines; may be NULL.
 * Without the header no client is sent gzip. */
struct content_coding_accept content_coding_accept(const char *field);

#endif
