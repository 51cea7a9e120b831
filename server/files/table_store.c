/* SPDX-License-Identifier: Apache-2.0
 * table_store.c - see table_store.h. A file is written as a hidden file, then fsync, rename and
 * fsync of the folder. */
#include "server/files/table_store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ALIGNMENT = 64, PREFIX = 8, SETTLED_SECONDS = 2 };

/* Memory of a file, whose elements begin at a multiple of ALIGNMENT. */
struct holding {
    unsigned char *base;
    size_t size;      /* of the mapping */
    size_t at, len;   /* the bytes of the file in it */
    struct stat file; /* status when it was read; st_ino 0: the bytes came from no file */
    /* The file had not changed for a while when it was read: equal times mean equal bytes. */
    bool settled;
};

static void release(void *context)
{
    struct holding *holding = context;

    munmap(holding->base, holding->size);
    free(holding);
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The bytes have not changed between two calls of fstat. st_ctim is not compared, since
 * renaming the file, or another over it, changes st_ctim but no byte. */
static bool same_bytes(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           same_time(&a->st_mtim, &b->st_mtim);
}

/* The file has not changed, even if its times were set. */
static bool same_file(const struct stat *a, const struct stat *b)
{
    return same_bytes(a, b) && same_time(&a->st_ctim, &b->st_ctim);
}

/* The bytes to leave free before a file with this prefix, so that its elements are aligned. */
static size_t lead(const unsigned char prefix[PREFIX])
{
    size_t header = 0;

    for (size_t i = PREFIX; i > 0; i--)
        header = header << 8 | prefix[i - 1];
    return (ALIGNMENT - (PREFIX + header % ALIGNMENT) % ALIGNMENT) % ALIGNMENT;
}

static struct holding *hold(size_t bytes, char *why)
{
    struct holding *holding = calloc(1, sizeof *holding);

    if (holding) {
        holding->size = bytes + ALIGNMENT;
        holding->base = mmap(NULL, holding->size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (!holding || holding->base == MAP_FAILED) {
        snprintf(why, TABLE_FILE_WHY_SIZE, "%s", table_file_no_memory);
        free(holding);
        return NULL;
    }
    return holding;
}

/* Makes the memory read-only and parses it. */
static struct table_file *seal(struct holding *holding, const char *stem, size_t at, size_t len,
                               char *why)
{
    struct table_file_source source = {.stem = stem,
                                       .bytes = holding->base + at,
                                       .len = len,
                                       .release = release,
                                       .context = holding};

    holding->at = at;
    holding->len = len;
    mprotect(holding->base, holding->size, PROT_READ);
    return table_file_new(&source, why);
}

struct table_file *table_store_parse(const char *stem, const void *bytes, size_t len,
                                     char why[TABLE_FILE_WHY_SIZE])
{
    struct holding *holding = hold(len, why);
    size_t at = len >= PREFIX ? lead(bytes) : 0;

    if (!holding)
        return NULL;
    memcpy(holding->base + at, bytes, len);
    return seal(holding, stem, at, len, why);
}

/* ---- files ----------------------------------------------------------------------------- */

/* The path of an open file, from /proc; false: unknown. */
static bool path_of(int fd, char path[PATH_MAX])
{
    char link[40];
    ssize_t len;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    len = readlink(link, path, PATH_MAX - 1);
    path[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* Opens the target of a link for reading, if the target is in the folder or below it. The path
 * is checked before the file is opened, since opening a device or a pipe may have effects. */
static int open_link(int dir, const char *name)
{
    int place = openat(dir, name, O_PATH | O_CLOEXEC), fd = -1;
    char folder[PATH_MAX], path[PATH_MAX], link[40];
    size_t len;

    if (place < 0)
        return -1;
    errno = EXDEV;
    if (path_of(dir, folder) && path_of(place, path)) {
        len = strlen(folder);
        snprintf(link, sizeof link, "/proc/self/fd/%d", place);
        if (strncmp(path, folder, len) == 0 && path[len] == '/')
            fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    }
    close(place);
    return fd;
}

/* A link may lead to another place in the folder, as those of Kubernetes do, but not out of
 * it. */
static int open_beneath(int dir, const char *name)
{
    int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);

    return fd < 0 && errno == ELOOP ? open_link(dir, name) : fd;
}

/* Reads all bytes of the file; false, and the reason in `why`. */
static bool read_all(int fd, unsigned char *to, size_t len, char *why)
{
    size_t done = 0;

    while (done < len) {
        ssize_t got = pread(fd, to + done, len - done, (off_t)done);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            snprintf(why, TABLE_FILE_WHY_SIZE, "cannot be read: %s",
                     got < 0 ? strerror(errno) : "it became shorter meanwhile");
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

static bool changed(int fd, struct holding *holding, char *why)
{
    struct stat after;
    struct timespec now;

    if (fstat(fd, &after) != 0 || !same_bytes(&holding->file, &after)) {
        snprintf(why, TABLE_FILE_WHY_SIZE,
                 "changed while it was read; replace files by renaming");
        return true;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    holding->settled = now.tv_sec - after.st_ctim.tv_sec > SETTLED_SECONDS;
    return false;
}

static struct table_file *load_file(int fd, const struct stat *file, const char *stem,
                                    char *why)
{
    size_t len = (size_t)file->st_size, at = 0;
    unsigned char prefix[PREFIX];
    struct holding *holding = hold(len, why);

    if (!holding)
        return NULL;
    holding->file = *file;
    if (len >= PREFIX && read_all(fd, prefix, PREFIX, why))
        at = lead(prefix);
    if (!read_all(fd, holding->base + at, len, why) || changed(fd, holding, why)) {
        release(holding);
        return NULL;
    }
    return seal(holding, stem, at, len, why);
}

static bool is_fit(const struct stat *file, uint64_t budget, char *why)
{
    if (!S_ISREG(file->st_mode))
        snprintf(why, TABLE_FILE_WHY_SIZE, "is no regular file");
    else if ((uint64_t)file->st_size > budget)
        snprintf(why, TABLE_FILE_WHY_SIZE,
                 "has %" PRIu64 " bytes; %" PRIu64 " of --learned-tables-memory are left",
                 (uint64_t)file->st_size, budget);
    else
        return true;
    return false;
}

struct table_file *table_store_read(int dir, const char *name, const char *stem,
                                    uint64_t budget, struct table_file *before,
                                    char why[TABLE_FILE_WHY_SIZE])
{
    const struct holding *old = before ? table_file_context(before) : NULL;
    struct table_file *tables = NULL;
    struct stat file;
    int fd = open_beneath(dir, name);

    if (fd < 0) {
        snprintf(why, TABLE_FILE_WHY_SIZE, "%s",
                 errno == EXDEV || errno == ELOOP ? "is a link that leads out of the folder"
                                                  : strerror(errno));
        return NULL;
    }
    if (fstat(fd, &file) != 0)
        snprintf(why, TABLE_FILE_WHY_SIZE, "cannot be read: %s", strerror(errno));
    else if (is_fit(&file, budget, why))
        tables = old && old->settled && same_file(&old->file, &file)
                     ? table_file_ref(before)
                     : load_file(fd, &file, stem, why);
    close(fd);
    return tables;
}

bool table_store_equal(const struct table_file *a, const struct table_file *b)
{
    const struct holding *one = table_file_context(a), *two = table_file_context(b);

    return one == two || (one->len == two->len &&
                          memcmp(one->base + one->at, two->base + two->at, one->len) == 0);
}

/* ---- writing ------------------------------------------------------------------------ */

static const char suffix[] = TABLE_SUFFIX;

static enum table_change_result fail(char *why, const char *what)
{
    snprintf(why, TABLE_FILE_WHY_SIZE, "%s: %s", what, strerror(errno));
    return TABLE_FAILED;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, bytes, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        len -= (size_t)done;
    }
    return true;
}

enum table_change_result table_store_write(int dir, const char *stem, const void *bytes,
                                           size_t len, char why[TABLE_FILE_WHY_SIZE])
{
    char name[TABLE_FILE_STEM_MAX + sizeof suffix], temporary[sizeof name + 8];
    enum table_change_result change = TABLE_REPLACED;
    struct stat old;
    int fd;

    snprintf(name, sizeof name, "%s%s", stem, suffix);
    snprintf(temporary, sizeof temporary, ".%s.new", name);
    if (fstatat(dir, name, &old, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno != ENOENT)
            return fail(why, "cannot look for the old file");
        change = TABLE_CREATED;
    }
    if (unlinkat(dir, temporary, 0) != 0 &&
        errno != ENOENT) /* left by a process that was killed */
        return fail(why, "cannot remove an unfinished file");
    fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd < 0)
        return fail(why, "cannot write into --learned-tables-dir");
    if (!write_all(fd, bytes, len) || fsync(fd) != 0)
        change = fail(why, "cannot write the file");
    if (close(fd) != 0 && change != TABLE_FAILED)
        change = fail(why, "cannot close the file");
    if (change != TABLE_FAILED && renameat(dir, temporary, dir, name) != 0)
        change = fail(why, "cannot name the file");
    if (change == TABLE_FAILED)
        unlinkat(dir, temporary, 0);
    else if (fsync(dir) != 0)
        change = fail(why, "cannot write the folder");
    return change;
}

enum table_change_result table_store_remove(int dir, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE])
{
    char name[TABLE_FILE_STEM_MAX + sizeof suffix];

    snprintf(name, sizeof name, "%s%s", stem, suffix);
    if (unlinkat(dir, name, 0) != 0)
        return errno == ENOENT ? TABLE_MISSING : fail(why, "cannot remove the file");
    return fsync(dir) == 0 ? TABLE_REMOVED : fail(why, "cannot write the folder");
}
