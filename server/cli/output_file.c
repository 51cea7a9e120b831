/* SPDX-License-Identifier: Apache-2.0
 * output_file.c - see output_file.h. A file without a name (O_TMPFILE) leaves nothing
 * behind even if the process is killed; where the file system has none, the name is
 * temporary. */
#include "server/cli/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MODE = 0666, TRIES = 100, NAME_SPACE = 32, LINKS = 40 };

static bool set_text(struct output_file *file, const char *path, size_t len)
{
    const bool fits = len + NAME_SPACE < sizeof file->path;

    if (fits) {
        memmove(file->path, path, len);
        file->path[len] = '\0';
    }
    errno = fits ? errno : ENAMETOOLONG;
    return fits;
}

/* Sets .path to where the link at .path leads, which is relative to the link's folder. */
static bool set_target(struct output_file *file, const char *target)
{
    const char *slash = strrchr(file->path, '/');
    const size_t folder = *target != '/' && slash ? (size_t)(slash + 1 - file->path) : 0;
    char whole[2 * OUTPUT_FILE_PATH];
    const int len = snprintf(whole, sizeof whole, "%.*s%s", (int)folder, file->path, target);

    return set_text(file, whole, (size_t)len);
}

/* Follows the links at .path, the last of which may lead to a file that is not there yet. */
static bool follow(struct output_file *file)
{
    char target[OUTPUT_FILE_PATH];
    ssize_t len;

    for (int links = 0; (len = readlink(file->path, target, sizeof target - 1)) >= 0; links++) {
        target[len] = '\0';
        if (links == LINKS) {
            errno = ELOOP;
            return false;
        }
        if (!set_target(file, target))
            return false;
    }
    return true;
}

/* Sets .path to the file behind symbolic links, which is replaced or made, not they. */
static bool set_path(struct output_file *file, const char *path)
{
    char *real = realpath(path, NULL);
    const char *found = real ? real : path;
    const bool fits = set_text(file, found, strlen(found));

    const bool is_whole = real;
    free(real);
    return fits && (is_whole || follow(file));
}

/* Writes the folder of .path, "." if the path has none. */
static void write_folder(const struct output_file *file, char folder[OUTPUT_FILE_PATH])
{
    const char *slash = strrchr(file->path, '/');
    const size_t len = !slash ? 1 : slash == file->path ? 1 : (size_t)(slash - file->path);

    memcpy(folder, slash ? file->path : ".", len);
    folder[len] = '\0';
}

/* Sets .beside to a name in the same folder that is hidden and belongs to this process. */
static void set_beside(struct output_file *file, int try)
{
    const char *slash = strrchr(file->path, '/');
    const int len = slash ? (int)(slash - file->path) + 1 : 0;

    snprintf(file->beside, sizeof file->beside, "%.*s.posencd-%ld-%d", len, file->path,
             (long)getpid(), try);
}

static bool open_without_name(struct output_file *file)
{
    char folder[OUTPUT_FILE_PATH];

    if (access("/proc/self/fd", X_OK) != 0) /* through which the file gets its name */
        return false;
    write_folder(file, folder);
    file->fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, MODE);
    return file->fd >= 0;
}

static bool open_beside(struct output_file *file)
{
    for (int try = 0; try < TRIES; try++) {
        set_beside(file, try);
        file->fd = open(file->beside, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, MODE);
        if (file->fd >= 0 || errno != EEXIST)
            break;
    }
    if (file->fd < 0)
        file->beside[0] = '\0';
    return file->fd >= 0;
}

bool output_file_open(struct output_file *file, const char *path)
{
    struct stat old;

    *file = (struct output_file){.fd = STDOUT_FILENO, .title = "standard output"};
    if (!path || strcmp(path, "-") == 0)
        return true;
    file->title = path;
    const bool exists = stat(path, &old) == 0;
    if (exists && !S_ISREG(old.st_mode)) {
        file->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        return file->fd >= 0;
    }
    if (exists && access(path, W_OK) != 0)
        return false;
    if (!set_path(file, path) || (!open_without_name(file) && !open_beside(file)))
        return false;
    file->replaces = true;
    if (exists)
        (void)fchmod(file->fd, old.st_mode & 07777); /* as far as it is allowed */
    return true;
}

bool output_file_write(struct output_file *file, const char *bytes, size_t len)
{
    while (len > 0) {
        const ssize_t some = write(file->fd, bytes, len);

        if (some < 0 && errno == EINTR)
            continue;
        if (some < 0)
            return false;
        bytes += some;
        len -= (size_t)some;
    }
    return true;
}

/* Gives a file without a name a temporary one. */
static bool name(struct output_file *file)
{
    char self[64];
    bool named = false;

    snprintf(self, sizeof self, "/proc/self/fd/%d", file->fd);
    for (int try = 0; try < TRIES && !named; try++) {
        set_beside(file, try);
        named = linkat(AT_FDCWD, self, AT_FDCWD, file->beside, AT_SYMLINK_FOLLOW) == 0;
        if (!named && errno != EEXIST)
            break;
    }
    if (!named)
        file->beside[0] = '\0';
    return named;
}

/* The bytes are on the disk before the name is theirs: after a loss of power the name has
 * the old file or the new one, whole. */
static bool replace(struct output_file *file)
{
    return fsync(file->fd) == 0 && (file->beside[0] || name(file)) &&
           rename(file->beside, file->path) == 0;
}

bool output_file_close(struct output_file *file, bool whole)
{
    bool ok = !whole || !file->replaces || replace(file);
    const int error = errno;

    if (file->beside[0] && !(ok && whole))
        (void)unlink(file->beside);
    if (file->fd != STDOUT_FILENO && close(file->fd) != 0 && ok)
        return false;
    errno = error;
    return ok;
}
