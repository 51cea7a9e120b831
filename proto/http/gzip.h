/* SPDX-License-Identifier: Apache-2.0
 * gzip.h - compresses a whole response with gzip, by libdeflate at its fastest level: the next
 * level takes twice the time for 4 % of the bytes. */
#pragma once

#include <libdeflate.h>
#include <stdbool.h>
#include <stddef.h>

/* The compressor and its version, on which the compressed bytes depend: a part of the variant's
 * entity tag. The version is that of the headers at build time, because libdeflate does not
 * report the version of the loaded library: an operator that exchanges a shared libdeflate has
 * to build posencd again. */
#define GZIP_TAG "gzip-" LIBDEFLATE_VERSION_STRING

/* A compressor with some 100 KB of working memory, which one thread at a time may use. */
struct gzip;
struct gzip *gzip_new(void); /* NULL when out of memory */
void gzip_free(struct gzip *gzip);

/* Returns the largest number of bytes that `len` bytes can be compressed to. */
size_t gzip_bound(size_t len);
/* Compresses bytes[0..len) into *compressed, malloc'd, of *compressed_len bytes. Returns false
 * when out of memory. */
bool gzip_compress(struct gzip *gzip, const char *bytes, size_t len, char **compressed,
                   size_t *compressed_len);
