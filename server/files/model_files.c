/* SPDX-License-Identifier: Apache-2.0
 * model_files.c - a folder of configurations as a set of models. The folder is read whole and
 * a new set is made; requests keep the one they took. */
#include "server/files/model_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/files/dir_watch.h"
#include "server/files/load_errors.h"
#include "server/files/mounted_model.h"
#include "server/shared.h"
#include "server/sys/log.h"

enum { FILES_MAX = 1024 };

static const struct load_events file_events = {
    "a model cannot be read", "a model that could not be read is right or gone"};
static const struct load_events folder_events = {"--models-dir cannot be read",
                                                 "--models-dir can be read again"};

struct model_set {
    atomic_uint owners;
    struct models *own; /* NULL: only the embedded models */
    size_t count;
    struct mounted_model *at[];
};

struct model_files {
    struct service *service;
    const char *dir;
    uv_mutex_t lock; /* protects the fields below except `folder` */
    struct model_set *set;
    struct load_errors faults;
    struct load_errors folder_faults; /* of the folder itself */
    struct dir_watch *folder;         /* NULL: not watched */
    bool was_read;                    /* once */
};

/* ---- sets ------------------------------------------------------------------------ */

void model_files_drop(struct model_set *set)
{
    if (!set || atomic_fetch_sub(&set->owners, 1) != 1)
        return;
    for (size_t i = 0; i < set->count; i++)
        mounted_model_drop(set->at[i]);
    models_free(set->own);
    free(set);
}

const struct models *model_files_models(const struct model_set *set)
{
    return set->own ? set->own : models_embedded();
}

struct model_set *model_files_take(struct model_files *files)
{
    struct model_set *set;

    uv_mutex_lock(&files->lock);
    set = files->set;
    atomic_fetch_add(&set->owners, 1);
    uv_mutex_unlock(&files->lock);
    return set;
}

/* Takes the references of `at` over. NULL: out of memory. */
static struct model_set *set_new(struct mounted_model *const *at, size_t count)
{
    const struct model *rows[FILES_MAX];
    struct model_set *set = calloc(1, sizeof *set + count * sizeof set->at[0]);

    if (!set)
        return NULL;
    for (size_t i = 0; i < count; i++)
        rows[i] = mounted_model_get(at[i]);
    set->own = count > 0 ? models_new(rows, count) : NULL;
    if (count > 0 && !set->own) {
        free(set);
        return NULL;
    }
    atomic_init(&set->owners, 1);
    set->count = count;
    for (size_t i = 0; i < count; i++)
        set->at[i] = at[i];
    return set;
}

/* The configuration of that name; NULL: the set has none. */
static struct mounted_model *set_find(const struct model_set *set, const char *id)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(mounted_model_get(set->at[i])->id, id) == 0)
            return set->at[i];
    return NULL;
}

static bool set_equal(const struct model_set *a, const struct model_set *b)
{
    for (size_t i = 0; a->count == b->count && i < a->count; i++) {
        struct mounted_model *other = set_find(b, mounted_model_get(a->at[i])->id);

        if (!other || !mounted_model_equal(a->at[i], other))
            return false;
    }
    return a->count == b->count;
}

/* ---- the folder -------------------------------------------------------------------- */

struct scan {
    const struct model_set *before;
    struct mounted_model *at[FILES_MAX];
    size_t count;
    struct load_errors faults;
};

/* Visits an entry of the folder: NAME.json, or a folder NAME with a config.json, is a model. */
static void visit(struct scan *scan, int dir, const char *entry)
{
    static const char suffix[] = ".json";
    size_t len = strlen(entry), end = sizeof suffix - 1;
    char path[MOUNTED_MODEL_NAME_SIZE + 16], id[MOUNTED_MODEL_NAME_SIZE], why[200];
    struct mounted_model *mounted;

    if (len > end && strcmp(entry + len - end, suffix) == 0) {
        len -= end;
        snprintf(path, sizeof path, "%s", entry);
    } else {
        snprintf(path, sizeof path, "%s/config.json", entry);
    }
    if (!mounted_model_is_name(entry, len) || scan->count + scan->faults.count >= FILES_MAX)
        return;
    snprintf(id, sizeof id, "%.*s", (int)len, entry);
    mounted = mounted_model_read(dir, path, id, why, sizeof why);
    if (!mounted && *why) { /* without a reason there is no such file */
        load_errors_add(&scan->faults, path, why);
        mounted = set_find(scan->before, id); /* its old configuration stays */
        if (mounted)
            mounted_model_share(mounted);
    }
    if (mounted && scan->count < FILES_MAX)
        scan->at[scan->count++] = mounted;
    else
        mounted_model_drop(mounted);
}

static bool visit_all(struct scan *scan, const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    bool whole;

    if (!dir)
        return false;
    while ((errno = 0, entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            visit(scan, dirfd(dir), entry->d_name);
    whole = errno == 0;
    closedir(dir);
    return whole;
}

/* Replaces the set, and drops the old one. */
static void adopt(struct model_files *files, struct model_set *set)
{
    struct model_set *old;

    uv_mutex_lock(&files->lock);
    old = files->set;
    files->set = set;
    uv_mutex_unlock(&files->lock);
    model_files_drop(old);
}

static void take_scan(struct model_files *files, struct scan *scan, struct model_set *set)
{
    struct log *log = files->service->log;
    const size_t bad = scan->faults.count;

    load_errors_replace(&files->faults, &scan->faults, &file_events, &files->lock, log);
    adopt(files, set);
    if (!files->was_read || !set_equal(scan->before, set))
        log_event(log, LOG_INFO, "models read",
                  (struct log_field[]){{.name = "mounted", .number = (int64_t)scan->count},
                                       {.name = "bad", .number = (int64_t)bad},
                                       {0}});
    files->was_read = true;
}

/* False: the folder cannot be read, or memory is out; errno says why. */
static bool scan_folder(struct model_files *files)
{
    struct scan *scan = calloc(1, sizeof *scan);
    struct model_set *before = model_files_take(files), *set = NULL;
    struct load_errors folder = {0};
    int error;

    errno = ENOMEM;
    if (scan)
        *scan = (struct scan){.before = before};
    if (scan && visit_all(scan, files->dir)) {
        set = set_new(scan->at, scan->count);
        errno = ENOMEM;
    }
    error = errno;
    if (set) {
        take_scan(files, scan, set);
    } else {
        load_errors_add(&folder, files->dir, strerror(error));
        for (size_t i = 0; scan && i < scan->count; i++)
            mounted_model_drop(scan->at[i]);
        if (scan)
            load_errors_fini(&scan->faults);
    }
    load_errors_replace(&files->folder_faults, &folder, &folder_events, &files->lock,
                        files->service->log);
    model_files_drop(before);
    free(scan);
    errno = error;
    return set != NULL;
}

/* The folder has changed, or may have changed. */
static void read_again(void *context)
{
    struct model_files *files = context;

    (void)scan_folder(files);
    atomic_fetch_add_explicit(&files->service->generation, 1, memory_order_release);
}

bool model_files_scan(struct model_files *files, void (*done)(void *cls), void *cls)
{
    if (files->folder)
        dir_watch_ask(files->folder, done, cls);
    return files->folder != NULL;
}

struct model_files *model_files_new(struct service *service, uv_loop_t *uv, const char *dir,
                                    char *why, size_t size)
{
    struct model_files *files = calloc(1, sizeof *files);

    snprintf(why, size, "out of memory");
    if (!files || uv_mutex_init(&files->lock) != 0) {
        free(files);
        return NULL;
    }
    files->service = service;
    files->set = set_new(NULL, 0);
    files->dir = files->set ? dir : NULL;
    if (files->set && dir && scan_folder(files))
        files->folder = dir_watch_new(uv, service->log, "--models-dir", dir, read_again, files);
    if (files->set && (!dir || files->folder))
        return files;
    if (files->set)
        snprintf(why, size, "--models-dir %.300s: %s", dir, strerror(errno));
    model_files_free(files);
    return NULL;
}

void model_files_stop(struct model_files *files)
{
    if (files)
        dir_watch_stop(files->folder);
}

void model_files_free(struct model_files *files)
{
    if (!files)
        return;
    model_files_drop(files->set);
    load_errors_fini(&files->faults);
    load_errors_fini(&files->folder_faults);
    dir_watch_free(files->folder);
    uv_mutex_destroy(&files->lock);
    free(files);
}

/* ---- log lines ------------------------------------------------------------------------- */

struct model_files_stats model_files_stats(struct model_files *files)
{
    struct model_files_stats stats;

    uv_mutex_lock(&files->lock);
    stats =
        (struct model_files_stats){.models = models_count(model_files_models(files->set)),
                                   .mounted = files->set->count,
                                   .bad = files->faults.count + files->folder_faults.count,
                                   .errors = files->faults.seen + files->folder_faults.seen};
    uv_mutex_unlock(&files->lock);
    return stats;
}

void model_files_write(struct model_files *files, struct buffer *out)
{
    uv_mutex_lock(&files->lock);
    load_errors_write(&files->folder_faults, "folder of models", out);
    load_errors_write(&files->faults, "model", out);
    uv_mutex_unlock(&files->lock);
}
