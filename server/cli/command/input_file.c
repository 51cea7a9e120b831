/* SPDX-License-Identifier: Apache-2.0
 * input_file.c - see input_file.h. */
#include "server/cli/command/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/cli/command/say.h"

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

/* Ends the process when bytes of a mapped file are gone. */
static void end_cut(int number)
{
    static const char says[] = "posencd: a file became shorter while it was read\n";

    (void)number;
    (void)!write(STDERR_FILENO, says, sizeof says - 1);
    _exit(CLI_NO_INPUT);
}

void *input_file_map(FILE *file, size_t *len)
{
    const struct sigaction cut = {.sa_handler = end_cut};
    const int fd = fileno(file);
    struct stat status;

    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size < INPUT_FILE_MAPPED || lseek(fd, 0, SEEK_CUR) != 0)
        return NULL;
    *len = (size_t)status.st_size;
    void *bytes = mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return NULL;
    sigaction(SIGBUS, &cut, NULL);
    return bytes;
}

void input_file_close(FILE *file)
{
    if (file != stdin)
        (void)fclose(file);
}
