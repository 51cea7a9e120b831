/* SPDX-License-Identifier: Apache-2.0
 * model_files.h - the models a service knows: the embedded ones and those of --models-dir, read
 * at start, on SIGHUP and when the folder changes. A file that cannot be read leaves what it
 * said before in service, and is told by /readyz?verbose and /metrics. */
#ifndef SERVER_MODEL_FILES_H
#define SERVER_MODEL_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "proto/models/models.h"
#include "proto/text/buffer.h"

struct service;
struct model_files;
struct model_set; /* one state of all models; immutable, shared by its users */

/* dir: --models-dir, NULL for the embedded models alone. The folder is watched on *uv, whose
 * thread calls the functions that say so. NULL: out of memory, or the folder cannot be read,
 * which is said in why. */
struct model_files *model_files_new(struct service *service, uv_loop_t *uv, const char *dir,
                                    char *why, size_t size);
void model_files_stop(struct model_files *files); /* on the loop's thread: closes handles */
void model_files_free(struct model_files *files); /* after the loop has ended; NULL: nothing */
/* Have the folder read again; on the loop's thread. */
void model_files_scan(struct model_files *files);

/* The models of now, to be dropped by who took them; any thread. */
struct model_set *model_files_take(struct model_files *files);
void model_files_drop(struct model_set *set);
const struct models *model_files_models(const struct model_set *set);

struct model_files_stats {
    uint64_t models, mounted, bad; /* known; of the folder; its files that cannot be read */
    uint64_t errors;               /* failed readings since the start */
};
struct model_files_stats model_files_stats(struct model_files *files);
/* "[-] model qwen.json: #/rope_scaling/type ...", one a bad file; any thread. */
void model_files_write(struct model_files *files, struct buffer *out);

#endif
