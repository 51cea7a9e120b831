/* SPDX-License-Identifier: Apache-2.0
 * fail_files.c - the system calls on files, folders and the log; see fail.h. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/campaign/fail.h"

static bool is_file(int fd)
{
    struct stat status;

    return syscall(SYS_fstat, fd, &status) == 0 && S_ISREG(status.st_mode);
}

/* Files may fail in any way; reads and writes of libuv on its own descriptors are interrupted
 * at most. */
static int file_fault(enum kind kind, int fd)
{
    return fail_error() == EINTR || is_file(fd) ? fail_now(kind) : 0;
}

ssize_t read(int fd, void *bytes, size_t len)
{
    REAL(ssize_t, read, int, void *, size_t);
    int error = file_fault(READ, fd);

    return error > 0 ? fail_with(error) : real(fd, bytes, error && len ? 1 : len);
}

ssize_t pread(int fd, void *bytes, size_t len, off_t at)
{
    REAL(ssize_t, pread, int, void *, size_t, off_t);
    int error = file_fault(READ, fd);

    return error > 0 ? fail_with(error) : real(fd, bytes, error && len ? 1 : len, at);
}

ssize_t write(int fd, const void *bytes, size_t len)
{
    REAL(ssize_t, write, int, const void *, size_t);
    int error = fd == STDERR_FILENO ? fail_now(LOG) : file_fault(WRITE, fd);

    return error > 0 ? fail_with(error) : real(fd, bytes, error && len ? 1 : len);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    REAL(ssize_t, writev, int, const struct iovec *, int);
    int error = file_fault(WRITE, fd);

    if (error > 0)
        return fail_with(error);
    return error ? write(fd, pieces[0].iov_base, 1) : real(fd, pieces, count);
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...);
    int error = fail_now(OPEN), mode;
    va_list rest;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return error ? fail_with(error) : real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    REAL(int, openat, int, const char *, int, ...);
    int error = fail_now(OPEN), mode;
    va_list rest;

    va_start(rest, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;
    va_end(rest);
    return error ? fail_with(error) : real(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(FILE *, fopen, const char *, const char *);
    int error = fail_now(OPEN);

    if (!error)
        return real(path, mode);
    errno = error;
    return NULL;
}

int stat(const char *path, struct stat *status)
{
    REAL(int, stat, const char *, struct stat *);
    int error = fail_now(STAT);

    return error ? fail_with(error) : real(path, status);
}

int fstat(int fd, struct stat *status)
{
    REAL(int, fstat, int, struct stat *);
    int error = fail_now(STAT);

    return error ? fail_with(error) : real(fd, status);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags)
{
    REAL(int, fstatat, int, const char *, struct stat *, int);
    int error = fail_now(STAT);

    return error ? fail_with(error) : real(folder, path, status, flags);
}

struct dirent *readdir(DIR *folder)
{
    REAL(struct dirent *, readdir, DIR *);
    int error = fail_error() == EIO ? fail_now(READ) : 0;

    if (!error)
        return real(folder);
    errno = error;
    return NULL;
}

int scandirat(int folder, const char *restrict path, struct dirent ***restrict names,
              int (*wanted)(const struct dirent *),
              int (*order)(const struct dirent **, const struct dirent **))
{
    REAL(int, scandirat, int, const char *, struct dirent ***, int (*)(const struct dirent *),
         int (*)(const struct dirent **, const struct dirent **));
    int error = fail_now(OPEN);

    return error ? fail_with(error) : real(folder, path, names, wanted, order);
}

int fsync(int fd)
{
    REAL(int, fsync, int);
    int error = fail_now(SYNC);

    return error ? fail_with(error) : real(fd);
}

int renameat(int from, const char *old, int to, const char *new)
{
    REAL(int, renameat, int, const char *, int, const char *);
    int error = fail_now(RENAME);

    return error ? fail_with(error) : real(from, old, to, new);
}

int unlinkat(int folder, const char *path, int flags)
{
    REAL(int, unlinkat, int, const char *, int);
    int error = fail_now(UNLINK);

    return error ? fail_with(error) : real(folder, path, flags);
}

/* The descriptor is closed, as on Linux, whatever close returns. */
int close(int fd)
{
    int error = is_file(fd) ? fail_now(CLOSE) : 0, result = (int)syscall(SYS_close, fd);

    return error ? fail_with(error) : result;
}
