/* SPDX-License-Identifier: Apache-2.0
 * dir_names.c - the names in an open folder. glibc has scandirat for this; other C
 * libraries have not. */
#include "server/files/dir_names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add(struct dir_names *names, size_t *room, const char *name)
{
    size_t len = strlen(name) + 1;

    if (names->count == *room) {
        size_t more = *room ? *room * 2 : 16;
        char **at = reallocarray(names->at, more, sizeof *at);

        if (!at)
            return false;
        names->at = at;
        *room = more;
    }
    names->at[names->count] = malloc(len);
    if (!names->at[names->count])
        return false;
    memcpy(names->at[names->count++], name, len);
    return true;
}

bool dir_names_read(int dir, bool (*is_wanted)(const char *name), struct dir_names *names)
{
    int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), why;
    DIR *folder = own < 0 ? NULL : fdopendir(own);
    const struct dirent *entry;
    size_t room = 0;

    *names = (struct dir_names){0};
    if (!folder) {
        why = errno;
        if (own >= 0)
            close(own);
        errno = why;
        return false;
    }
    while ((errno = 0, entry = readdir(folder)))
        if (is_wanted(entry->d_name) && !add(names, &room, entry->d_name)) {
            errno = ENOMEM;
            break;
        }
    why = errno;
    closedir(folder);
    if (names->count > 1)
        qsort(names->at, names->count, sizeof *names->at, by_bytes);
    errno = why;
    return why == 0;
}

void dir_names_free(struct dir_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->at[i]);
    free(names->at);
    *names = (struct dir_names){0};
}
