/* SPDX-License-Identifier: Apache-2.0
 * folder.c - see folder.h. A change while the folder is being read has it read once more. */
#include "server/files/folder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/files/watch.h"
#include "server/sys/log.h"

struct folder {
    uv_loop_t *uv;
    struct watch *watch;
    uv_work_t work;
    void (*read)(void *context);
    void *context;
    bool reading, again, stopped;
};

static void start_reading(struct folder *folder);

static void on_read(uv_work_t *work)
{
    struct folder *folder = work->data;

    folder->read(folder->context);
}

static void on_done(uv_work_t *work, int status)
{
    struct folder *folder = work->data;

    folder->reading = false;
    if (folder->again)
        start_reading(folder);
}

static void start_reading(struct folder *folder)
{
    folder->again = folder->reading;
    if (folder->reading || folder->stopped)
        return;
    folder->work.data = folder;
    folder->reading = uv_queue_work(folder->uv, &folder->work, on_read, on_done) == 0;
}

static void on_change(void *folder)
{
    start_reading(folder);
}

struct folder *folder_new(uv_loop_t *uv, struct log *log, const char *flag, const char *dir,
                          void (*read)(void *context), void *context)
{
    struct folder *folder = calloc(1, sizeof *folder);
    bool watching = false;
    char what[80];

    if (!folder)
        return NULL;
    folder->uv = uv;
    folder->read = read;
    folder->context = context;
    folder->watch = watch_folder(uv, dir, on_change, folder, &watching);
    if (!folder->watch) {
        free(folder);
        return NULL;
    }
    if (!watching) {
        snprintf(what, sizeof what, "%s cannot be watched; send SIGHUP after a change", flag);
        log_event(log, LOG_WARN, what, NULL);
    }
    return folder;
}

void folder_ask(struct folder *folder)
{
    start_reading(folder);
}

void folder_stop(struct folder *folder)
{
    if (!folder || folder->stopped)
        return;
    folder->stopped = true;
    folder->again = false;
    watch_stop(folder->watch);
}

void folder_free(struct folder *folder)
{
    if (folder)
        watch_free(folder->watch);
    free(folder);
}
