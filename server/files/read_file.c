/* SPDX-License-Identifier: Apache-2.0
 * read_file.c - see read_file.h. Only regular files are read: a pipe could make the reader
 * wait. */
#include "server/files/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int fd, char *bytes, size_t len)
{
    size_t held = 0;

    while (held < len) {
        ssize_t got = read(fd, bytes + held, len - held);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        held += (size_t)got;
    }
    return true;
}

char *read_file_read(const char *path, size_t most, size_t *len, char *why, size_t size)
{
    /* O_NONBLOCK: opening a pipe does not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status = {0};
    char *bytes = NULL;

    if (fd < 0 || fstat(fd, &status) != 0) {
        snprintf(why, size, "%.200s: %s", path, strerror(errno));
    } else if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size > most) {
        snprintf(why, size, "%.200s: must be a regular file of at most %zu MiB", path,
                 most >> 20);
    } else {
        *len = (size_t)status.st_size;
        bytes = calloc(1, *len + 1);
        if (!bytes || !read_all(fd, bytes, *len)) {
            snprintf(why, size, "%.200s: %s", path, bytes ? "changed meanwhile" : "no memory");
            read_file_free(bytes, *len);
            bytes = NULL;
        }
    }
    if (fd >= 0)
        close(fd);
    return bytes;
}

void read_file_free(char *bytes, size_t len)
{
    if (bytes)
        explicit_bzero(bytes, len);
    free(bytes);
}
