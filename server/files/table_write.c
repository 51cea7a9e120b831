/* SPDX-License-Identifier: Apache-2.0
 * table_write.c - see table_write.h: a hidden file, fsync, rename, fsync of the folder. */
#include "server/files/table_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The bytes under a hidden name, on the disk, then under the name: whenever the process ends,
 * the old file or the new one is there, whole. */
enum table_change_result table_write(int dir, const char *stem, const void *bytes, size_t len,
                                     char why[TABLE_FILE_WHY_SIZE])
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
    if (unlinkat(dir, temporary, 0) != 0 && errno != ENOENT) /* of a process that was killed */
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

enum table_change_result table_write_remove(int dir, const char *stem,
                                            char why[TABLE_FILE_WHY_SIZE])
{
    char name[TABLE_FILE_STEM_MAX + sizeof suffix];

    snprintf(name, sizeof name, "%s%s", stem, suffix);
    if (unlinkat(dir, name, 0) != 0)
        return errno == ENOENT ? TABLE_MISSING : fail(why, "cannot remove the file");
    return fsync(dir) == 0 ? TABLE_REMOVED : fail(why, "cannot write the folder");
}
