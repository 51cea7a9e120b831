/* SPDX-License-Identifier: Apache-2.0
 * gunzip.h - what gzip holds, and gzip, by zlib in one go. */
#pragma once

#include <stddef.h>

/* The inflated bytes, NUL-terminated beyond *plain_len; the caller frees. Fails the test unless
 * the input is exactly one whole member. */
char *gunzip(const char *bytes, size_t len, size_t *plain_len);

/* Compresses a body with the framing of gzip, of zlib or with none; the caller frees. */
enum gunzip_framing { GUNZIP_GZIP, GUNZIP_ZLIB, GUNZIP_RAW };
char *gunzip_pack(enum gunzip_framing framing, const char *plain, size_t len,
                  size_t *packed_len);
