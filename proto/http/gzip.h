/* SPDX-License-Identifier: Apache-2.0
 * gzip.h - gzip of a whole answer, by libdeflate at its fastest level: the one above takes
 * twice the time for 4 % of the bytes. */
#ifndef PROTO_GZIP_H
#define PROTO_GZIP_H

#include <libdeflate.h>
#include <stdbool.h>
#include <stddef.h>

/* What its bytes depend on besides the answer's: a part of the variant's entity tag. It names
 * the headers that this was built with, for libdeflate does not say which one is loaded: who
 * exchanges a shared libdeflate builds again, or keeps tags whose bytes may be others. */
#define GZIP_TAG "gzip-" LIBDEFLATE_VERSION_STRING

/* Some 100 KB of working memory, to be used again. One thread at a time. */
struct gzip;
struct gzip *gzip_new(void); /* NULL: out of memory */
void gzip_free(struct gzip *packer);

/* The most that `len` bytes can become. */
size_t gzip_bound(size_t len);
/* Compresses bytes[0..len) into *packed, malloc'd, of *packed_len bytes. False: no memory. */
bool gzip_gzip(struct gzip *packer, const char *bytes, size_t len, char **packed,
               size_t *packed_len);

#endif
