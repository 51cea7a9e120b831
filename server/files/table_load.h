/* SPDX-License-Identifier: Apache-2.0
 * table_load.h - a file of --learned-tables-dir in memory of our own, never mapped: another
 * process may cut a file short, and a mapped page of it would end this one. */
#ifndef SERVER_TABLE_LOAD_H
#define SERVER_TABLE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/tensors/table_file.h"

/* The tables of dir/name, of at most `room` bytes; NULL after saying why not. What stands
 * behind the name may be a link within the folder, never one that leads out of it.
 * before (may be NULL): the same file as it was; if it did not change it is returned, for one
 * more owner. */
struct table_file *table_load(int dir, const char *name, const char *stem, uint64_t room,
                              struct table_file *before, char why[TABLE_FILE_WHY_SIZE]);
/* The same of bytes in memory, which are copied: what PUT brings. */
struct table_file *table_load_bytes(const char *stem, const void *bytes, size_t len,
                                    char why[TABLE_FILE_WHY_SIZE]);

#endif
