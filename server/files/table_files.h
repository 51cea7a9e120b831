/* SPDX-License-Identifier: Apache-2.0
 * table_files.h - the learned tables of a service: the .safetensors files of --learned-tables-
 * dir, read at start, on SIGHUP and when the folder changes, and the files that an
 * administrator puts there. If a file cannot be read, its old tables stay in use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/tensors/tables.h"
#include "proto/text/buffer.h"
#include "server/files/table_store.h"

struct service;
struct table_files;

/* dir: --learned-tables-dir; NULL: there is none. NULL: out of memory, the folder cannot be
 * read, or a file in it is wrong; the reason is in `why`. */
struct table_files *table_files_new(struct service *service, uv_loop_t *uv, const char *dir,
                                    char *why, size_t size);
void table_files_stop(struct table_files *files); /* on the loop's thread: closes handles */
void table_files_free(
    struct table_files *files); /* after the loop has ended; NULL is ignored */
/* Has the folder read again, and then calls `done` on the loop's thread, where this function is
 * called too. False: there is no folder, and `done` is not called. */
bool table_files_scan(struct table_files *files, void (*done)(void *cls), void *cls);

/* The current tables, which the caller drops (tables_drop); NULL without --learned-tables-dir.
 * Any thread. */
struct tables *table_files_take(struct table_files *files);

/* Changes the folder; the change is on the disk and in service when the function returns. On a
 * thread that may wait. `why` has the reason of a failure. */
enum table_change_result table_files_put(struct table_files *files, const char *stem,
                                         const void *bytes, size_t len,
                                         char why[TABLE_FILE_WHY_SIZE]);
enum table_change_result table_files_remove(struct table_files *files, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE]);

struct table_files_stats {
    uint64_t tables, bytes,
        bad;         /* in service; their bytes; files and folder that cannot be read */
    uint64_t errors; /* how often a file or the folder became bad, or bad for another reason */
};
struct table_files_stats table_files_stats(struct table_files *files);
/* Writes a line for each file that cannot be read; any thread. */
void table_files_write(struct table_files *files, struct buffer *out);
