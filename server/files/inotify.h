/* SPDX-License-Identifier: Apache-2.0
 * inotify.h - calls a function shortly after the operator has changed a file or a folder.
 * Editors and orchestrators replace files rather than write them, so always a folder is
 * watched. Used on the main loop's thread. */
#pragma once

#include <stdbool.h>
#include <uv.h>

struct inotify;

/* NULL: out of memory. *watching is false where changes cannot be watched (no inotify left);
 * then only SIGHUP makes the service read again. */
struct inotify *inotify_folder(uv_loop_t *uv, const char *folder, void (*changed)(void *cls),
                               void *cls, bool *watching);
/* Watches the folder of the file, and calls only when the file was replaced or written, or its
 * permissions changed. */
struct inotify *inotify_file(uv_loop_t *uv, const char *path, void (*changed)(void *cls),
                             void *cls, bool *watching);
void inotify_stop(
    struct inotify *watch); /* closes its handles; then uv must run; NULL is ignored */
void inotify_free(struct inotify *watch); /* when they are closed; NULL is ignored */
