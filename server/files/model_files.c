/* SPDX-License-Identifier: Apache-2.0
 * model_files.c - a folder of configurations as a set of models. The folder is read whole and
 * a new set is made; requests keep the one they took. */
#include "server/files/model_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "proto/models/hf/hf_config.h"
#include "server/files/dir_watch.h"
#include "server/files/load_errors.h"
#include "server/shared.h"
#include "server/sys/log.h"

enum {
    FILES_MAX = 1024,
    FILE_MAX = 4 << 20, /* bytes of a configuration */
    NAME_MAX_LEN = 80,
};

/* A configuration, shared by the sets that have it. */
struct mounted {
    atomic_uint owners;
    struct hf_config *config;
};

struct model_set {
    atomic_uint owners;
    struct models *own; /* NULL: only the embedded models */
    size_t count;
    struct mounted *at[];
};

struct model_files {
    struct service *service;
    const char *dir;
    uv_mutex_t lock; /* protects the fields below except `folder` */
    struct model_set *set;
    struct load_errors faults;
    uint64_t errors;
    struct dir_watch *folder; /* NULL: not watched */
};

/* ---- sets ------------------------------------------------------------------------ */

static void mounted_drop(struct mounted *mounted)
{
    if (mounted && atomic_fetch_sub(&mounted->owners, 1) == 1) {
        hf_config_free(mounted->config);
        free(mounted);
    }
}

void model_files_drop(struct model_set *set)
{
    if (!set || atomic_fetch_sub(&set->owners, 1) != 1)
        return;
    for (size_t i = 0; i < set->count; i++)
        mounted_drop(set->at[i]);
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
static struct model_set *set_new(struct mounted *const *at, size_t count)
{
    const struct model *rows[FILES_MAX];
    struct model_set *set = calloc(1, sizeof *set + count * sizeof set->at[0]);

    if (!set)
        return NULL;
    for (size_t i = 0; i < count; i++)
        rows[i] = hf_config_model(at[i]->config);
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

/* The configuration of that name, with one more reference; NULL: the set has none. */
static struct mounted *set_find(const struct model_set *set, const char *id)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(hf_config_model(set->at[i]->config)->id, id) == 0) {
            atomic_fetch_add(&set->at[i]->owners, 1);
            return set->at[i];
        }
    return NULL;
}

/* ---- one file -------------------------------------------------------------------- */

/* Letters, digits and "._-", as a segment of a path may have them. */
static bool is_name(const char *name, size_t len)
{
    return len > 0 && len < NAME_MAX_LEN && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") >=
               len;
}

/* Parses the file as a JSON body; false, and the reason in `why`. */
static bool read_body(struct json_body *body, int fd, char *why, size_t size)
{
    char bytes[16384];
    ssize_t got;

    while ((got = read(fd, bytes, sizeof bytes)) > 0)
        (void)json_body_add(body, bytes, (size_t)got);
    if (got < 0) {
        snprintf(why, size, "cannot be read: %s", strerror(errno));
        return false;
    }
    if (json_body_finish(body) != JSON_BODY_OK) {
        snprintf(why, size, "%s", *json_body_error(body) ? json_body_error(body) : "no memory");
        return false;
    }
    return true;
}

static struct mounted *load(int dir, const char *path, const char *id, char *why, size_t size)
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct json_body *body = fd >= 0 ? hf_config_body(FILE_MAX) : NULL;
    struct mounted *mounted = calloc(1, sizeof *mounted);
    struct pe_errors *errors = calloc(1, sizeof *errors);

    if (fd < 0)
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
    else if (!body || !mounted || !errors)
        snprintf(why, size, "no memory");
    else if (models_find(models_embedded(), id, strlen(id)))
        snprintf(why, size, "is the name of a built-in model; give it another");
    else if (read_body(body, fd, why, size)) {
        mounted->config = hf_config_read(body, id, errors);
        if (!mounted->config && errors->count > 0)
            snprintf(why, size, "%.60s %.130s", errors->at[0].parameter, errors->at[0].detail);
        else if (!mounted->config)
            snprintf(why, size, "no memory");
    }
    if (fd >= 0)
        close(fd);
    json_body_free(body);
    free(errors);
    if (mounted && mounted->config) {
        atomic_init(&mounted->owners, 1);
        return mounted;
    }
    free(mounted);
    return NULL;
}

/* ---- the folder -------------------------------------------------------------------- */

struct scan {
    struct model_files *files;
    const struct model_set *before;
    struct mounted *at[FILES_MAX];
    size_t count;
    struct load_errors faults;
};

static void note_bad(struct scan *scan, const char *name, const char *why)
{
    load_errors_add(&scan->faults, name, why);
    log_event(scan->files->service->log, LOG_WARN, "a model cannot be read",
              (struct log_field[]){{.name = "file", .text = name},
                                   {.name = "why", .text = why},
                                   {0}});
}

/* Loads a regular file; NULL if there is none, or with the reason in `why` if it is wrong. */
static struct mounted *load_entry(int dir, const char *path, const char *id, char *why,
                                  size_t size)
{
    struct stat status;

    if (fstatat(dir, path, &status, 0) == 0)
        return S_ISREG(status.st_mode) ? load(dir, path, id, why, size) : NULL;
    if (errno != ENOENT && errno != ENOTDIR)
        snprintf(why, size, "cannot be looked at: %s", strerror(errno));
    return NULL;
}

/* Visits an entry of the folder: NAME.json, or a folder NAME with a config.json, is a model. */
static void visit(struct scan *scan, int dir, const char *entry)
{
    static const char suffix[] = ".json";
    size_t len = strlen(entry), end = sizeof suffix - 1;
    char path[NAME_MAX_LEN + 16], id[NAME_MAX_LEN], why[200] = "";
    struct mounted *mounted;

    if (len > end && strcmp(entry + len - end, suffix) == 0) {
        len -= end;
        snprintf(path, sizeof path, "%s", entry);
    } else {
        snprintf(path, sizeof path, "%s/config.json", entry);
    }
    if (!is_name(entry, len) || scan->count + scan->faults.count >= FILES_MAX)
        return;
    snprintf(id, sizeof id, "%.*s", (int)len, entry);
    mounted = load_entry(dir, path, id, why, sizeof why);
    if (!mounted && *why) { /* without a reason there is no such file */
        note_bad(scan, path, why);
        mounted = set_find(scan->before, id); /* its old configuration stays */
    }
    if (mounted && scan->count < FILES_MAX)
        scan->at[scan->count++] = mounted;
    else
        mounted_drop(mounted);
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

/* Replaces the set and the errors, and drops the old ones. */
static void adopt(struct model_files *files, struct scan *scan, struct model_set *set)
{
    struct model_set *old;
    struct load_errors old_faults;

    uv_mutex_lock(&files->lock);
    old = files->set;
    old_faults = files->faults;
    files->set = set;
    files->faults = scan->faults;
    files->errors += scan->faults.count;
    uv_mutex_unlock(&files->lock);
    model_files_drop(old);
    load_errors_fini(&old_faults);
}

static bool scan_folder(struct model_files *files)
{
    struct scan *scan = calloc(1, sizeof *scan);
    struct model_set *before = model_files_take(files), *set = NULL;

    if (scan)
        *scan = (struct scan){.files = files, .before = before};
    if (scan && visit_all(scan, files->dir))
        set = set_new(scan->at, scan->count);
    if (set) {
        adopt(files, scan, set);
        log_event(files->service->log, LOG_INFO, "models read",
                  (struct log_field[]){{.name = "mounted", .number = (int64_t)scan->count},
                                       {.name = "bad", .number = (int64_t)scan->faults.count},
                                       {0}});
    } else if (scan) {
        for (size_t i = 0; i < scan->count; i++)
            mounted_drop(scan->at[i]);
        load_errors_fini(&scan->faults);
    }
    model_files_drop(before);
    free(scan);
    return set != NULL;
}

/* The folder has changed, or may have changed. */
static void read_again(void *context)
{
    struct model_files *files = context;

    if (!scan_folder(files)) {
        uv_mutex_lock(&files->lock);
        files->errors++;
        uv_mutex_unlock(&files->lock);
        log_event(files->service->log, LOG_WARN, "--models-dir cannot be read", NULL);
    }
    atomic_fetch_add_explicit(&files->service->generation, 1, memory_order_release);
}

void model_files_scan(struct model_files *files)
{
    if (files->folder)
        dir_watch_ask(files->folder);
}

static bool watch(struct model_files *files, uv_loop_t *uv)
{
    files->folder =
        dir_watch_new(uv, files->service->log, "--models-dir", files->dir, read_again, files);
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
    if (files->set && (!dir || (scan_folder(files) && watch(files, uv))))
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
    dir_watch_free(files->folder);
    uv_mutex_destroy(&files->lock);
    free(files);
}

/* ---- log lines ------------------------------------------------------------------------- */

struct model_files_stats model_files_stats(struct model_files *files)
{
    struct model_files_stats stats;

    uv_mutex_lock(&files->lock);
    stats = (struct model_files_stats){.models = models_count(model_files_models(files->set)),
                                       .mounted = files->set->count,
                                       .bad = files->faults.count,
                                       .errors = files->errors};
    uv_mutex_unlock(&files->lock);
    return stats;
}

void model_files_write(struct model_files *files, struct buffer *out)
{
    uv_mutex_lock(&files->lock);
    load_errors_write(&files->faults, "model", out);
    uv_mutex_unlock(&files->lock);
}
