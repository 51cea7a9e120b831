/* SPDX-License-Identifier: Apache-2.0
 * input_file.c - see input_file.h. */
#include "server/cli/command/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool begins_with(const char *path, const char *start)
{
    return strncmp(path, start, strlen(start)) == 0;
}

/* Returns whether the path names a file that the process was given open. */
static bool is_given(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || begins_with(path, "/dev/fd/") ||
           begins_with(path, "/proc/self/fd/");
}

/* Opens without waiting, then lets reads wait; -1, and in `why` what would be right. */
static int open_path(const char *path, const char **why)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    *why = NULL;
    if (fd < 0 || fstat(fd, &status) != 0)
        *why = strerror(errno);
    else if (S_ISDIR(status.st_mode))
        *why = strerror(EISDIR);
    else if (!S_ISREG(status.st_mode) && !is_given(path))
        *why = "must be a regular file; a pipe or a device is read as -, the standard input";
    else if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) != 0)
        *why = strerror(errno);
    if (!*why)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

FILE *input_file_open(const char *path, const char **why)
{
    if (strcmp(path, "-") == 0)
        return stdin;
    const int fd = open_path(path, why);
    if (fd < 0)
        return NULL;
    FILE *file = fdopen(fd, "rb");
    if (!file) {
        *why = strerror(errno);
        close(fd);
    }
    return file;
}

void input_file_close(FILE *file)
{
    if (file != stdin)
        (void)fclose(file);
}
