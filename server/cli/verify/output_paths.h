/* SPDX-License-Identifier: Apache-2.0
 * output_paths.h - whether a file that is written is one that is read. */
#pragma once

#include <stdbool.h>

/* Returns whether two paths lead to one file, which may not be there yet, or both are "-".
 * Devices, such as /dev/null, are not overwritten. */
bool output_paths_are_one(const char *path, const char *other);
/* Returns whether writing to the path overwrites what the operand reads: "FILE", "FILE:TENSOR"
 * or a folder. */
bool output_paths_overwrite(const char *path, const char *operand);
