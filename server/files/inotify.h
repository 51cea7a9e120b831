/* SPDX-License-Identifier: Apache-2.0
 * inotify.h - tells when the operator has changed a file or a folder, a moment afterwards.
 * Editors and orchestrators replace files rather than write them, so it is always a folder
 * that is watched. On the main loop's thread. */
#ifndef SERVER_INOTIFY_H
#define SERVER_INOTIFY_H

#include <stdbool.h>
#include <uv.h>

struct inotify;

/* NULL: out of memory. *watching: is it so? Where changes cannot be watched (no inotify left)
 * SIGHUP still tells of them. */
struct inotify *inotify_folder(uv_loop_t *uv, const char *folder, void (*changed)(void *cls),
                               void *cls, bool *watching);
/* The folder that the file is in, but only when the file is another, was written, or others
 * may read it. */
struct inotify *inotify_file(uv_loop_t *uv, const char *path, void (*changed)(void *cls),
                             void *cls, bool *watching);
void inotify_stop(
    struct inotify *watch); /* closes its handles; then uv must run; NULL: nothing */
void inotify_free(struct inotify *watch); /* when they are closed; NULL: nothing */

#endif
