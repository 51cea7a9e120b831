/* SPDX-License-Identifier: Apache-2.0
 * table_files.c - a folder of safetensors files as a set of tables. The folder is read whole
 * and a new set is made; files that did not change are shared, requests keep the set they
 * took. */
#include "server/files/table_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/files/dir_names.h"
#include "server/files/dir_watch.h"
#include "server/files/load_errors.h"
#include "server/shared.h"
#include "server/sys/log.h"

enum { FILES_MAX = 1024 };

static const char suffix[] = TABLE_SUFFIX;
static const struct load_events file_events = {
    "a file of learned tables cannot be read",
    "a file of learned tables that could not be read is right or gone"};
static const struct load_events folder_events = {"--learned-tables-dir cannot be read",
                                                 "--learned-tables-dir can be read again"};

struct table_files {
    struct service *service;
    const char *dir;
    struct dir_watch *folder;
    uv_mutex_t reading; /* held while the folder is read or changed */
    uv_mutex_t lock;    /* protects the fields below */
    struct tables *set; /* NULL: there is no folder */
    struct load_errors faults;
    struct load_errors folder_faults; /* of the folder itself */
};

/* ---- taking ------------------------------------------------------------------------------ */

struct tables *table_files_take(struct table_files *files)
{
    struct tables *set;

    uv_mutex_lock(&files->lock);
    set = files->set ? tables_ref(files->set) : NULL;
    uv_mutex_unlock(&files->lock);
    return set;
}

/* ---- reading ---------------------------------------------------------------------------- */

struct scan {
    const struct tables *before; /* may be NULL */
    struct table_file *at[FILES_MAX];
    size_t count;
    uint64_t bytes, budget;
    struct load_errors faults;
    const char *wanted;            /* the stem of the file whose error matters; NULL: none */
    char why[TABLE_FILE_WHY_SIZE]; /* why the wanted file cannot be read; "": it was read */
};

/* The length of the stem of NAME.safetensors; 0 for another or a hidden file. */
static size_t stem_of(const char *name)
{
    size_t len = strlen(name), end = sizeof suffix - 1;

    return name[0] != '.' && len > end && strcmp(name + len - end, suffix) == 0 ? len - end : 0;
}

static void add(struct scan *scan, struct table_file *file)
{
    scan->bytes += table_file_bytes(file);
    scan->at[scan->count++] = file;
}

static void visit(struct scan *scan, int dir, const char *name)
{
    size_t len = stem_of(name);
    char stem[TABLE_FILE_STEM_MAX + 1], why[TABLE_FILE_WHY_SIZE] = "";
    struct table_file *before, *file = NULL;

    if (!table_file_is_stem(name, len)) {
        load_errors_add(&scan->faults, name,
                        "the name must be 1 to 64 letters, digits and ._-, and .safetensors");
        return;
    }
    snprintf(stem, sizeof stem, "%.*s", (int)len, name);
    before = scan->before ? tables_find_file(scan->before, stem, len) : NULL;
    if (scan->count < FILES_MAX)
        file = table_store_read(dir, name, stem, scan->budget - scan->bytes, before, why);
    if (file) {
        add(scan, file);
        return;
    }
    if (!*why)
        snprintf(why, sizeof why, "is one file too many");
    if (scan->wanted && strcmp(scan->wanted, stem) == 0)
        memcpy(scan->why, why, sizeof why);
    load_errors_add(&scan->faults, name, why);
    if (before && scan->count < FILES_MAX &&
        table_file_bytes(before) <= scan->budget - scan->bytes)
        add(scan, table_file_ref(before)); /* its old tables stay */
}

static bool is_wanted(const char *name)
{
    return stem_of(name) > 0;
}

/* Visits every file of the folder in the order of names. */
static bool visit_all(struct scan *scan, const char *path)
{
    int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct dir_names names = {0};
    bool read = dir >= 0 && dir_names_read(dir, is_wanted, &names);

    for (size_t i = 0; read && i < names.count; i++)
        visit(scan, dir, names.at[i]);
    dir_names_free(&names);
    if (dir >= 0)
        close(dir);
    return read;
}

/* Whether the files that are served have other bytes or names than before. */
static bool is_changed(const struct scan *scan)
{
    if (!scan->before || tables_file_count(scan->before) != scan->count)
        return true;
    for (size_t i = 0; i < scan->count; i++) {
        const char *stem = table_file_stem(scan->at[i]);
        const struct table_file *old = tables_find_file(scan->before, stem, strlen(stem));

        if (!old || !table_store_equal(old, scan->at[i]))
            return true;
    }
    return false;
}

/* Replaces the set and drops the old one. */
static void adopt(struct table_files *files, const struct scan *scan, struct tables *set)
{
    struct tables *old;

    uv_mutex_lock(&files->lock);
    old = files->set;
    files->set = set;
    uv_mutex_unlock(&files->lock);
    if (is_changed(scan))
        log_event(files->service->log, LOG_INFO, "learned tables read",
                  (struct log_field[]){{.name = "files", .number = (int64_t)scan->count},
                                       {.name = "bytes", .number = (int64_t)scan->bytes},
                                       {.name = "bad", .number = (int64_t)files->faults.count},
                                       {0}});
    tables_drop(old);
    atomic_fetch_add_explicit(&files->service->generation, 1, memory_order_release);
}

/* With `reading` held. False: the folder cannot be read, or the wanted file in it (a stem, or
 * NULL), or memory is out; why says which. */
static bool scan_folder(struct table_files *files, const char *wanted,
                        char why[TABLE_FILE_WHY_SIZE])
{
    struct scan *scan = calloc(1, sizeof *scan);
    struct tables *before = table_files_take(files), *set = NULL;
    struct load_errors folder = {0};
    bool read = false;

    snprintf(why, TABLE_FILE_WHY_SIZE, "%s", table_file_no_memory);
    if (scan) {
        scan->before = before;
        scan->budget = files->service->config.learned_tables_memory;
        scan->wanted = wanted;
        read = visit_all(scan, files->dir);
        if (!read)
            snprintf(why, TABLE_FILE_WHY_SIZE, "%s", strerror(errno));
        set = tables_new(scan->at, scan->count); /* takes the references, even if it fails */
    }
    if (read && set) {
        memcpy(why, scan->why, sizeof scan->why);
        load_errors_replace(&files->faults, &scan->faults, &file_events, &files->lock,
                            files->service->log);
        adopt(files, scan, set);
    } else {
        load_errors_add(&folder, files->dir, why);
        tables_drop(set);
        if (scan)
            load_errors_fini(&scan->faults);
    }
    load_errors_replace(&files->folder_faults, &folder, &folder_events, &files->lock,
                        files->service->log);
    tables_drop(before);
    free(scan);
    return read && set && !*why;
}

static void read_again(void *context)
{
    struct table_files *files = context;
    char why[TABLE_FILE_WHY_SIZE];

    uv_mutex_lock(&files->reading);
    (void)scan_folder(files, NULL, why);
    uv_mutex_unlock(&files->reading);
}

/* ---- changing --------------------------------------------------------------------------- */

/* The memory suffices for a file of `len` bytes beside the other files; else `why` has the
 * reason. */
static bool fits_memory(struct table_files *files, const char *stem, size_t len, char *why)
{
    struct tables *set = table_files_take(files);
    uint64_t budget = files->service->config.learned_tables_memory;
    size_t others = 0;

    for (size_t i = 0; set && i < tables_file_count(set); i++) {
        if (strcmp(table_file_stem(tables_file(set, i)), stem) != 0) {
            budget -= table_file_bytes(tables_file(set, i));
            others++;
        }
    }
    tables_drop(set);
    if (len > budget)
        snprintf(why, TABLE_FILE_WHY_SIZE,
                 "has %zu bytes; %" PRIu64 " of --learned-tables-memory are left", len, budget);
    else if (others >= FILES_MAX)
        snprintf(why, TABLE_FILE_WHY_SIZE, "there are %d files already; remove one", FILES_MAX);
    return len <= budget && others < FILES_MAX;
}

/* Reads the changed folder, so that a client that is told of the change finds it in service. */
static enum table_change_result take_change(struct table_files *files, const char *stem,
                                            enum table_change_result change, char *why)
{
    char reason[TABLE_FILE_WHY_SIZE];

    if (scan_folder(files, stem, reason))
        return change;
    if (strcmp(reason, table_file_no_memory) == 0)
        return TABLE_NO_MEMORY;
    snprintf(why, TABLE_FILE_WHY_SIZE, "the folder was changed, but cannot be read: %.240s",
             reason);
    return TABLE_FAILED;
}

static enum table_change_result change_folder(struct table_files *files, const char *stem,
                                              const void *bytes, size_t len, char *why)
{
    int dir = open(files->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum table_change_result change;

    if (dir < 0) {
        snprintf(why, TABLE_FILE_WHY_SIZE, "cannot open --learned-tables-dir: %s",
                 strerror(errno));
        return TABLE_FAILED;
    }
    change = bytes ? table_store_write(dir, stem, bytes, len, why)
                   : table_store_remove(dir, stem, why);
    close(dir);
    return change == TABLE_CREATED || change == TABLE_REPLACED || change == TABLE_REMOVED
               ? take_change(files, stem, change, why)
               : change;
}

enum table_change_result table_files_put(struct table_files *files, const char *stem,
                                         const void *bytes, size_t len,
                                         char why[TABLE_FILE_WHY_SIZE])
{
    struct table_file *checked = table_store_parse(stem, bytes, len, why);
    enum table_change_result change = TABLE_REFUSED;

    if (!checked)
        return strcmp(why, table_file_no_memory) == 0 ? TABLE_NO_MEMORY : TABLE_REFUSED;
    table_file_drop(checked);
    uv_mutex_lock(&files->reading);
    if (fits_memory(files, stem, len, why))
        change = change_folder(files, stem, bytes, len, why);
    uv_mutex_unlock(&files->reading);
    return change;
}

enum table_change_result table_files_remove(struct table_files *files, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE])
{
    enum table_change_result change;

    uv_mutex_lock(&files->reading);
    change = change_folder(files, stem, NULL, 0, why);
    uv_mutex_unlock(&files->reading);
    return change;
}

/* ---- life ------------------------------------------------------------------------------- */

/* At start every file must be right, so that a mistake of the operator is noticed at once. */
static bool start(struct table_files *files, uv_loop_t *uv, char *why, size_t size)
{
    char reason[TABLE_FILE_WHY_SIZE];

    if (!scan_folder(files, NULL, reason)) {
        snprintf(why, size, "--learned-tables-dir %.200s: %.100s", files->dir, reason);
        return false;
    }
    if (files->faults.count > 0) {
        snprintf(why, size, "--learned-tables-dir %.80s: %s: %.200s", files->dir,
                 files->faults.at[0].name, files->faults.at[0].why);
        return false;
    }
    files->folder = dir_watch_new(uv, files->service->log, "--learned-tables-dir", files->dir,
                                  read_again, files);
    return files->folder != NULL;
}

struct table_files *table_files_new(struct service *service, uv_loop_t *uv, const char *dir,
                                    char *why, size_t size)
{
    struct table_files *files = calloc(1, sizeof *files);

    snprintf(why, size, "out of memory");
    if (!files || uv_mutex_init(&files->lock) != 0) {
        free(files);
        return NULL;
    }
    if (uv_mutex_init(&files->reading) != 0) {
        uv_mutex_destroy(&files->lock);
        free(files);
        return NULL;
    }
    files->service = service;
    files->dir = dir;
    if (!dir || start(files, uv, why, size))
        return files;
    table_files_free(files);
    return NULL;
}

bool table_files_scan(struct table_files *files, void (*done)(void *cls), void *cls)
{
    if (files->folder)
        dir_watch_ask(files->folder, done, cls);
    return files->folder != NULL;
}

void table_files_stop(struct table_files *files)
{
    if (files)
        dir_watch_stop(files->folder);
}

void table_files_free(struct table_files *files)
{
    if (!files)
        return;
    dir_watch_free(files->folder);
    tables_drop(files->set);
    load_errors_fini(&files->faults);
    load_errors_fini(&files->folder_faults);
    uv_mutex_destroy(&files->reading);
    uv_mutex_destroy(&files->lock);
    free(files);
}

/* ---- log lines ------------------------------------------------------------------------- */

struct table_files_stats table_files_stats(struct table_files *files)
{
    struct table_files_stats stats = {0};

    uv_mutex_lock(&files->lock);
    for (size_t i = 0; files->set && i < tables_file_count(files->set); i++) {
        stats.tables += table_file_count(tables_file(files->set, i));
        stats.bytes += table_file_bytes(tables_file(files->set, i));
    }
    stats.bad = files->faults.count + files->folder_faults.count;
    stats.errors = files->faults.seen + files->folder_faults.seen;
    uv_mutex_unlock(&files->lock);
    return stats;
}

void table_files_write(struct table_files *files, struct buffer *out)
{
    uv_mutex_lock(&files->lock);
    load_errors_write(&files->folder_faults, "folder of tables", out);
    load_errors_write(&files->faults, "table", out);
    uv_mutex_unlock(&files->lock);
}
