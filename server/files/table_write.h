/* SPDX-License-Identifier: Apache-2.0
 * table_write.h - files put into --learned-tables-dir and taken away, so that a process that is
 * killed at any moment leaves the old file or the new one, whole. */
#ifndef SERVER_TABLE_WRITE_H
#define SERVER_TABLE_WRITE_H

#include <stddef.h>

#include "proto/tensors/table_file.h"

#define TABLE_SUFFIX ".safetensors"

enum table_change_result {
    TABLE_CREATED,
    TABLE_REPLACED,
    TABLE_REMOVED,
    TABLE_MISSING,   /* there is none to remove */
    TABLE_REFUSED,   /* the bytes are no such file */
    TABLE_NO_MEMORY, /* the machine's fault, */
    TABLE_FAILED     /* the disk's, or ours */
};

/* The file of that stem in the folder `dir`; on the disk when it returns. why: of a failure. */
enum table_change_result table_write(int dir, const char *stem, const void *bytes, size_t len,
                                     char why[TABLE_FILE_WHY_SIZE]);
enum table_change_result table_write_remove(int dir, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE]);

#endif
