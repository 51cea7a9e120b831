/* SPDX-License-Identifier: Apache-2.0
 * watch.c - see watch.h. */
#include "server/watch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETTLE_MS = 200 }; /* for what changes in several steps */

struct watch {
    uv_fs_event_t event;
    uv_timer_t timer;
    void (*changed)(void *cls);
    void *cls;
};

static void on_rest(uv_timer_t *timer)
{
    struct watch *watch = timer->data;

    watch->changed(watch->cls);
}

static void on_change(uv_fs_event_t *event, const char *name, int events, int status)
{
    struct watch *watch = event->data;

    (void)name, (void)events, (void)status;
    if (!uv_is_active((uv_handle_t *)&watch->timer))
        uv_timer_start(&watch->timer, on_rest, SETTLE_MS, 0);
}

struct watch *watch_folder(uv_loop_t *uv, const char *folder, void (*changed)(void *cls),
                           void *cls, bool *watching)
{
    struct watch *watch = calloc(1, sizeof *watch);

    *watching = false;
    if (!watch)
        return NULL;
    watch->changed = changed;
    watch->cls = cls;
    uv_fs_event_init(uv, &watch->event); /* neither fails on Linux */
    uv_timer_init(uv, &watch->timer);
    watch->event.data = watch->timer.data = watch;
    *watching = uv_fs_event_start(&watch->event, on_change, folder, 0) == 0;
    return watch;
}

struct watch *watch_file(uv_loop_t *uv, const char *path, void (*changed)(void *cls), void *cls,
                         bool *watching)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];

    if (!slash)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return watch_folder(uv, folder, changed, cls, watching);
}

void watch_stop(struct watch *watch)
{
    if (!watch || uv_is_closing((uv_handle_t *)&watch->event))
        return;
    uv_close((uv_handle_t *)&watch->event, NULL);
    uv_close((uv_handle_t *)&watch->timer, NULL);
}

void watch_free(struct watch *watch)
{
    free(watch);
}
