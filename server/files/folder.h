/* SPDX-License-Identifier: Apache-2.0
 * folder.h - a folder of the operator's that is read again when it changes and rests, or when
 * asked (SIGHUP): on libuv's pool, one reading at a time. */
#ifndef SERVER_FOLDER_H
#define SERVER_FOLDER_H

#include <uv.h>

struct folder;
struct log;

/* The folder of that flag is watched on *uv, whose thread calls the functions below; read may
 * run on any thread. NULL: out of memory. Where changes cannot be watched (no inotify left)
 * that is logged, and asking still works. */
struct folder *folder_new(uv_loop_t *uv, struct log *log, const char *flag, const char *dir,
                          void (*read)(void *context), void *context);
void folder_ask(struct folder *folder);
void folder_stop(struct folder *folder); /* closes handles; a reading goes on to its end */
void folder_free(struct folder *folder); /* after the loop has ended; NULL: nothing */

#endif
