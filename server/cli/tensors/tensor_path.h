/* SPDX-License-Identifier: Apache-2.0
 * tensor_path.h - FILE or FILE:TENSOR on the command line, told apart. */
#pragma once

#include <stdbool.h>

enum { TENSOR_PATH_SIZE = 4096 };

struct tensor_path {
    char file[TENSOR_PATH_SIZE];
    const char *tensor; /* within the argument; NULL: none is named */
};

/* Splits at the colon behind the longest part that is a file; where none is, at the last colon.
 * A file of the whole name has no tensor named. Returns false if a part is empty or the path is
 * too long. */
bool tensor_path_split(struct tensor_path *path, const char *argument);
