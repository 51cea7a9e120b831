/* SPDX-License-Identifier: Apache-2.0
 * passed_sockets.c - see passed_sockets.h. */
#include "server/sys/passed_sockets.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse_number(const char *text, unsigned long most, unsigned long *number)
{
    char *end;

    *number = strtoul(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && *number <= most;
}

/* Splits "web:admin" into as many names as there are sockets. */
static bool parse_names(struct passed_sockets *sockets, const char *names, char *why,
                        size_t why_size)
{
    size_t given = 1;

    for (const char *at = names; *at; at++)
        given += *at == ':';
    if (given != sockets->count) {
        snprintf(why, why_size, "LISTEN_FDNAMES has %zu names, but LISTEN_FDS is %zu", given,
                 sockets->count);
        return false;
    }
    for (size_t i = 0; i < given; i++) {
        size_t len = strcspn(names, ":");

        if (len >= PASSED_SOCKETS_NAME_SIZE) {
            snprintf(why, why_size, "a name in LISTEN_FDNAMES may have %d bytes; got %zu",
                     PASSED_SOCKETS_NAME_SIZE - 1, len);
            return false;
        }
        memcpy(sockets->name[i], names, len);
        sockets->name[i][len] = '\0';
        names += len + 1;
    }
    return true;
}

bool passed_sockets_parse(struct passed_sockets *sockets,
                          const struct passed_sockets_words *words, pid_t self, char *why,
                          size_t why_size)
{
    unsigned long pid, count;

    sockets->count = 0;
    if (!words->pid || !words->count)
        return true;
    if (!parse_number(words->pid, INT_MAX, &pid)) {
        snprintf(why, why_size, "LISTEN_PID must be the id of a process; got \"%.20s\"",
                 words->pid);
        return false;
    }
    if ((pid_t)pid != self)
        return true;
    if (!parse_number(words->count, PASSED_SOCKETS_MAX, &count)) {
        snprintf(why, why_size,
                 "LISTEN_FDS must be the number of sockets, 0..%d; got \"%.20s\"",
                 PASSED_SOCKETS_MAX, words->count);
        return false;
    }
    sockets->count = count;
    if (count > 0 && words->names)
        return parse_names(sockets, words->names, why, why_size);
    for (size_t i = 0; i < count; i++)
        snprintf(sockets->name[i], PASSED_SOCKETS_NAME_SIZE, "unknown");
    return true;
}

bool passed_sockets_take(struct passed_sockets *sockets, char *why, size_t why_size)
{
    static const char *const variables[] = {"LISTEN_PID", "LISTEN_PIDFDID", "LISTEN_FDS",
                                            "LISTEN_FDNAMES"};
    const struct passed_sockets_words words = {.pid = getenv("LISTEN_PID"),
                                               .count = getenv("LISTEN_FDS"),
                                               .names = getenv("LISTEN_FDNAMES")};
    bool ok = passed_sockets_parse(sockets, &words, getpid(), why, why_size);

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    for (size_t i = 0; ok && i < sockets->count; i++) {
        int fd = PASSED_SOCKETS_FIRST + (int)i;

        ok = fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
        if (!ok)
            snprintf(why, why_size, "LISTEN_FDS is %zu, but descriptor %d is not open",
                     sockets->count, fd);
    }
    return ok;
}
