/* SPDX-License-Identifier: Apache-2.0
 * passed_sockets.h - the sockets that a service manager has opened and passes to this process
 * (socket activation): the protocol of sd_listen_fds_with_names(3). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    PASSED_SOCKETS_FIRST = 3, /* their descriptors follow each other from here */
    PASSED_SOCKETS_MAX = 32,
    PASSED_SOCKETS_NAME_SIZE = 128,
};

struct passed_sockets {
    char name[PASSED_SOCKETS_MAX][PASSED_SOCKETS_NAME_SIZE]; /* "unknown": it has no name */
    size_t count;
};

/* The values of LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES; NULL: not set. */
struct passed_sockets_words {
    const char *pid, *count, *names;
};

/* Reads the values as the process `self`. Sockets that are meant for another process are none.
 * False, and in `why` a sentence. */
bool passed_sockets_parse(struct passed_sockets *sockets,
                          const struct passed_sockets_words *words, pid_t self, char *why,
                          size_t why_size);
/* Reads the variables of this process and removes them, so that no child takes the sockets for
 * its own. The descriptors become close-on-exec. Called before anything else opens a
 * descriptor. False, and in `why` a sentence. */
bool passed_sockets_take(struct passed_sockets *sockets, char *why, size_t why_size);
