/* SPDX-License-Identifier: Apache-2.0
 * table_store.h - the files of the folder of learned tables, read and written one at a time. A
 * file is read into memory of the process, never mapped: another process may cut a file short,
 * and reading a mapped page of it would end this process. It is written so that a process that
 * is killed at any moment leaves the old file or the new one, whole. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/tensors/table_file.h"

#define TABLE_SUFFIX ".safetensors"

enum table_change_result {
    TABLE_CREATED,
    TABLE_REPLACED,
    TABLE_REMOVED,
    TABLE_MISSING, /* there is no file to remove */
    TABLE_REFUSED, /* the bytes are no safetensors file */
    TABLE_NO_MEMORY,
    TABLE_FAILED /* the folder could not be changed or read */
};

/* The tables of dir/name, whose file may have at most `budget` bytes; NULL, and the reason in
 * `why`. The name may be a link within the folder, but not one that leads out of it. `before`
 * (may be NULL) is what the file held when it was read last: if the file has not changed,
 * `before` is returned with one more reference. */
struct table_file *table_store_read(int dir, const char *name, const char *stem,
                                    uint64_t budget, struct table_file *before,
                                    char why[TABLE_FILE_WHY_SIZE]);
/* Returns true if both, which table_store_read made, have the same bytes. */
bool table_store_equal(const struct table_file *a, const struct table_file *b);
/* The tables of the bytes of a file, which are copied (the body of a PUT). */
struct table_file *table_store_parse(const char *stem, const void *bytes, size_t len,
                                     char why[TABLE_FILE_WHY_SIZE]);

/* Writes or removes the file of that stem in the folder `dir`; the change is on the disk when
 * the function returns. `why` has the reason of a failure. */
enum table_change_result table_store_write(int dir, const char *stem, const void *bytes,
                                           size_t len, char why[TABLE_FILE_WHY_SIZE]);
enum table_change_result table_store_remove(int dir, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE]);
