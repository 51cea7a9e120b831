/* SPDX-License-Identifier: Apache-2.0
 * dir_watch.h - reads a folder of the operator again when it has changed, or when asked
 * (SIGHUP), on the thread of libuv's pool, one reading at a time. */
#pragma once

#include <uv.h>

struct dir_watch;
struct log;

/* Gives libuv's pool, which has no other work, one thread; before the first folder. */
void dir_watch_set_threads(void);
/* Watches the folder of that flag on *uv, whose thread calls the functions below; `read` runs
 * on that of the pool. NULL: out of memory. Where changes cannot be watched (no inotify
 * left), that is logged, and dir_watch_ask still works. */
struct dir_watch *dir_watch_new(uv_loop_t *uv, struct log *log, const char *flag,
                                const char *dir, void (*read)(void *context), void *context);
/* Has the folder read; calls `done` once after a reading that began later than this call. The
 * last `done` replaces one that was not called yet. */
void dir_watch_ask(struct dir_watch *folder, void (*done)(void *cls), void *cls);
void dir_watch_stop(
    struct dir_watch *folder); /* closes handles; a reading goes on to its end */
void dir_watch_free(struct dir_watch *folder); /* after the loop has ended; NULL is ignored */
