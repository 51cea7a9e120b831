/* SPDX-License-Identifier: Apache-2.0
 * gunzip.h - what gzip holds, by zlib in one go. */
#ifndef SUPPORT_GUNZIP_H
#define SUPPORT_GUNZIP_H

#include <stddef.h>

/* The bytes inside, NUL-terminated beyond *plain_len; the caller frees. Fails the test if it is
 * not one whole member and nothing else. */
char *gunzip(const char *bytes, size_t len, size_t *plain_len);

#endif
