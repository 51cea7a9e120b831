/* SPDX-License-Identifier: Apache-2.0
 * path.h - the path of a target without its percent escapes. */
#ifndef SERVER_PATH_H
#define SERVER_PATH_H

#include <stddef.h>

/* malloc'd and NUL-terminated; NULL: out of memory. Every escape is whole and stands for a
 * printable byte (the gate has seen to it). */
char *path_decode(const char *raw, size_t raw_len, size_t *len);

#endif
