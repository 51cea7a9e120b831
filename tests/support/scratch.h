/* SPDX-License-Identifier: Apache-2.0
 * scratch.h - a temporary folder (below $TMPDIR, else /tmp) with files in folders, removed
 * with all that is in it. */
#pragma once

#include <stddef.h>

enum { SCRATCH_PATH = 256 };

struct scratch;

struct scratch *scratch_new(void);
void scratch_free(struct scratch *scratch);
const char *scratch_folder(const struct scratch *scratch);
/* The path of a name in the folder; valid until the fourth next call. */
const char *scratch_path(const struct scratch *scratch, const char *name);
/* Writes a file anew, "a/b/name"; makes the folders above it. */
void scratch_write(const struct scratch *scratch, const char *name, const char *text);
/* Replaces a file so that a reader sees the old file or the new one: writes beside it, then
 * renames. The folder exists. */
void scratch_replace(const struct scratch *scratch, const char *name, const void *bytes,
                     size_t len);
