/* SPDX-License-Identifier: Apache-2.0
 * model_files.h - the models that a service knows: the embedded ones and those of --models-dir,
 * which is read at start, on SIGHUP and when it changes. If a file cannot be read, its old
 * contents stay in use, and /readyz?verbose and /metrics report it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/models/models.h"
#include "proto/text/buffer.h"

struct service;
struct model_files;
struct model_set; /* all models at one time; immutable, reference-counted */

/* dir: --models-dir, NULL for the embedded models alone. The folder is watched on *uv.
 * NULL: out of memory, or the folder cannot be read; the reason is in `why`. */
struct model_files *model_files_new(struct service *service, uv_loop_t *uv, const char *dir,
                                    char *why, size_t size);
void model_files_stop(struct model_files *files); /* on the loop's thread: closes handles */
void model_files_free(
    struct model_files *files); /* after the loop has ended; NULL is ignored */
/* Has the folder read again, and then calls `done` on the loop's thread, where this function is
 * called too. False: there is no folder, and `done` is not called. */
bool model_files_scan(struct model_files *files, void (*done)(void *cls), void *cls);

/* The current models; the caller drops them. Any thread. */
struct model_set *model_files_take(struct model_files *files);
void model_files_drop(struct model_set *set);
const struct models *model_files_models(const struct model_set *set);

struct model_files_stats {
    uint64_t models, mounted,
        bad;         /* all; of the folder; files and folder that cannot be read */
    uint64_t errors; /* how often a file or the folder became bad, or bad for another reason */
};
struct model_files_stats model_files_stats(struct model_files *files);
/* Writes a line for each file that cannot be read; any thread. */
void model_files_write(struct model_files *files, struct buffer *out);
