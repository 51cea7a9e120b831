/* SPDX-License-Identifier: Apache-2.0
 * output_file.h - the file that a command writes, whole or not at all: the bytes go to a
 * file without a name, or with a name of its own, which takes the place of the old file at
 * the end. A device, a pipe and the standard output are written as they are. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { OUTPUT_FILE_PATH = 4096 };

struct output_file {
    int fd;
    const char *title;             /* for errors: the path, or "standard output" */
    bool replaces;                 /* the bytes are in a file that takes the old one's place */
    char path[OUTPUT_FILE_PATH];   /* of the file, behind symbolic links */
    char beside[OUTPUT_FILE_PATH]; /* the name beside it; "" while the file has no name */
};

/* Opens the output; path NULL or "-" is the standard output. False after setting errno. */
bool output_file_open(struct output_file *file, const char *path);
/* Writes all bytes; false after setting errno. */
bool output_file_write(struct output_file *file, const char *bytes, size_t len);
/* Ends the output; if `whole`, the file takes its place, else nothing is left of it. False
 * after setting errno; then nothing is left either. */
bool output_file_close(struct output_file *file, bool whole);
