/* SPDX-License-Identifier: Apache-2.0
 * input_file.h - the file that a command reads: a regular file, whose opening never waits. A
 * named pipe would be waited for without end, a device may have no end. The standard input and
 * the other files that the process was given open, /dev/fd/N (the shell's <(...)), are read
 * whatever they are. */
#pragma once

#include <stdio.h>

/* Opens the file; path "-" is the standard input. NULL, and in `why` what would be right. */
FILE *input_file_open(const char *path, const char **why);
/* Maps a regular file that has at least INPUT_FILE_MAPPED bytes, so that its bytes take no
 * memory of the process; the caller unmaps them. NULL: it is another file, which is to be read.
 * A process whose mapped file is cut ends with a sentence. */
enum { INPUT_FILE_MAPPED = 1 << 20 };
void *input_file_map(FILE *file, size_t *len);
/* Closes the file, unless it is the standard input. */
void input_file_close(FILE *file);
