/* SPDX-License-Identifier: Apache-2.0
 * read_file.h - a file of the operator, read whole: keys, certificates, the list of --warm. */
#pragma once

#include <stddef.h>

enum { READ_FILE_MAX = 1 << 20 }; /* bytes that a file of keys or certificates may have */

/* The bytes of a regular file of at most `most` bytes (whole MiB), followed by a NUL; malloc'd,
 * to be wiped and freed with read_file_free. NULL, and in `why` the path and what would be
 * right. */
char *read_file_read(const char *path, size_t most, size_t *len, char *why, size_t size);
void read_file_free(char *bytes, size_t len);
