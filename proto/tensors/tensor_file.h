/* SPDX-License-Identifier: Apache-2.0
 * tensor_file.h - files of tensors by the ends of their names (tensor_files.def), for those
 * that look for some in a folder. A file that is named is read by its first bytes
 * (tensor_format_sniff). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tensor_file {
    const char *end;        /* "npy" */
    const char *media_type; /* of a body that is such a file */
    bool nameless;          /* the file's name is that of its tensor */
    bool alone;             /* files of a folder that end so are no tensors */
};

/* Finds the row of a file's name, in any case of its letters; NULL: there is none. */
const struct tensor_file *tensor_file_of(const char *name);
size_t tensor_file_count(void);
const struct tensor_file *tensor_file_at(size_t i);
/* Writes ".npz, .npy ... or .gguf", the ends of files that are read in a folder; returns it. */
enum { TENSOR_FILE_ENDS_SIZE = 80 };
const char *tensor_file_print_ends(char text[TENSOR_FILE_ENDS_SIZE]);
