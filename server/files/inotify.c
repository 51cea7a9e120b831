/* SPDX-License-Identifier: Apache-2.0
 * inotify.c - see inotify.h. */
#include "server/files/inotify.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SETTLE_MS = 200 }; /* a change may take several steps */

struct inotify {
    uv_fs_event_t event;
    uv_timer_t timer;
    char *file;       /* the file that is watched; NULL: all of the folder */
    struct stat seen; /* status of the file; zeros while it does not exist */
    void (*changed)(void *cls);
    void *cls;
};

static void look(const char *file, struct stat *seen)
{
    if (stat(file, seen) != 0)
        memset(seen, 0, sizeof *seen);
}

/* The file has not changed: another file of its folder did, such as a log. The ctime also
 * shows a change of permissions, and bytes that were written under the old mtime. A file
 * that changed in the last second counts as changed: it may be written again in the same
 * tick of its clock. */
static bool is_unchanged(struct inotify *watch)
{
    struct stat before = watch->seen, *now = &watch->seen;
    time_t second = time(NULL);

    look(watch->file, now);
    return now->st_dev == before.st_dev && now->st_ino == before.st_ino &&
           now->st_ctim.tv_sec == before.st_ctim.tv_sec &&
           now->st_ctim.tv_nsec == before.st_ctim.tv_nsec &&
           (now->st_mtim.tv_sec + 1 < second || now->st_mtim.tv_sec > second + 1);
}

static void on_rest(uv_timer_t *timer)
{
    struct inotify *watch = timer->data;

    if (!watch->file || !is_unchanged(watch))
        watch->changed(watch->cls);
}

static void on_change(uv_fs_event_t *event, const char *name, int events, int status)
{
    struct inotify *watch = event->data;

    (void)name, (void)events, (void)status;
    if (!uv_is_active((uv_handle_t *)&watch->timer))
        uv_timer_start(&watch->timer, on_rest, SETTLE_MS, 0);
}

struct inotify *inotify_folder(uv_loop_t *uv, const char *folder, void (*changed)(void *cls),
                               void *cls, bool *watching)
{
    struct inotify *watch = calloc(1, sizeof *watch);

    *watching = false;
    if (!watch)
        return NULL;
    watch->changed = changed;
    watch->cls = cls;
    uv_fs_event_init(uv, &watch->event); /* neither call fails on Linux */
    uv_timer_init(uv, &watch->timer);
    watch->event.data = watch->timer.data = watch;
    *watching = uv_fs_event_start(&watch->event, on_change, folder, 0) == 0;
    return watch;
}

struct inotify *inotify_file(uv_loop_t *uv, const char *path, void (*changed)(void *cls),
                             void *cls, bool *watching)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX], *file = strdup(path);
    struct inotify *watch;

    *watching = false;
    if (!file)
        return NULL;

    if (!slash)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    watch = inotify_folder(uv, folder, changed, cls, watching);
    if (!watch) {
        free(file);
        return NULL;
    }
    watch->file = file;
    look(file, &watch->seen);
    return watch;
}

void inotify_stop(struct inotify *watch)
{
    if (!watch || uv_is_closing((uv_handle_t *)&watch->event))
        return;
    uv_close((uv_handle_t *)&watch->event, NULL);
    uv_close((uv_handle_t *)&watch->timer, NULL);
}

void inotify_free(struct inotify *watch)
{
    if (watch)
        free(watch->file);
    free(watch);
}
