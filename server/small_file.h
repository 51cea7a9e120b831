/* SPDX-License-Identifier: Apache-2.0
 * small_file.h - a file of the operator's, read whole: keys, certificates. */
#ifndef SERVER_SMALL_FILE_H
#define SERVER_SMALL_FILE_H

#include <stddef.h>

enum { SMALL_FILE_MAX = 1 << 20 };

/* Its bytes and a NUL behind them; malloc'd, to be wiped with small_file_free. NULL, and in
 * `why` what would be right. */
char *small_file_read(const char *path, size_t *len, char *why, size_t size);
void small_file_free(char *bytes, size_t len);

#endif
