/* SPDX-License-Identifier: Apache-2.0
 * dir_watch.c - see dir_watch.h. If the folder changes while it is read, it is read once
 * more. */
#include "server/files/dir_watch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/files/inotify.h"
#include "server/sys/log.h"

struct dir_watch {
    uv_loop_t *uv;
    struct inotify *watch;
    uv_work_t work;
    void (*read)(void *context);
    void *context;
    void (*done)(void *cls); /* called after the reading; NULL: nobody asked */
    void *cls;
    bool reading, again, stopped;
    bool starting; /* the pool's thread: nothing is read yet */
};

static void start_reading(struct dir_watch *folder);

static void on_read(uv_work_t *work)
{
    struct dir_watch *folder = work->data;

    if (!folder->starting)
        folder->read(folder->context);
}

static void on_done(uv_work_t *work, int status)
{
    struct dir_watch *folder = work->data;
    void (*done)(void *cls) = folder->done;

    folder->reading = folder->starting = false;
    if (folder->again) {
        start_reading(folder);
        return;
    }
    folder->done = NULL;
    if (done)
        done(folder->cls);
}

static void start_reading(struct dir_watch *folder)
{
    folder->again = folder->reading;
    if (folder->reading || folder->stopped)
        return;
    folder->work.data = folder;
    folder->reading = uv_queue_work(folder->uv, &folder->work, on_read, on_done) == 0;
}

void dir_watch_set_threads(void)
{
    setenv("UV_THREADPOOL_SIZE", "1", 1); /* libuv has no other way to set it */
}

static void on_change(void *folder)
{
    start_reading(folder);
}

struct dir_watch *dir_watch_new(uv_loop_t *uv, struct log *log, const char *flag,
                                const char *dir, void (*read)(void *context), void *context)
{
    struct dir_watch *folder = calloc(1, sizeof *folder);
    bool watching = false;
    char what[80];

    if (!folder)
        return NULL;
    folder->uv = uv;
    folder->read = read;
    folder->context = context;
    folder->watch = inotify_folder(uv, dir, on_change, folder, &watching);
    if (!folder->watch) {
        free(folder);
        return NULL;
    }
    /* libuv starts the thread with the first task, and aborts if it cannot: that must happen at
     * start, not when a folder changes. */
    folder->starting = true;
    start_reading(folder);
    if (!watching) {
        snprintf(what, sizeof what, "%s cannot be watched; send SIGHUP after a change", flag);
        log_event(log, LOG_WARN, what, NULL);
    }
    return folder;
}

void dir_watch_ask(struct dir_watch *folder, void (*done)(void *cls), void *cls)
{
    folder->done = done;
    folder->cls = cls;
    start_reading(folder);
}

void dir_watch_stop(struct dir_watch *folder)
{
    if (!folder || folder->stopped)
        return;
    folder->stopped = true;
    folder->again = false;
    folder->done = NULL;
    inotify_stop(folder->watch);
}

void dir_watch_free(struct dir_watch *folder)
{
    if (folder)
        inotify_free(folder->watch);
    free(folder);
}
