/* SPDX-License-Identifier: Apache-2.0
 * health_admission.h - where a client waits that came when there was no room, until it is known
 * what it asks for: health is let in at any level of overload, all else is told 503. A few
 * clients wait at once, for a fifth of a second; one more takes the place of the oldest, so
 * that those who say nothing keep nobody out. On the main thread. */
#ifndef SERVER_HEALTH_ADMISSION_H
#define SERVER_HEALTH_ADMISSION_H

#include <stdbool.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/http/listener_kind.h"

struct health_admission;

struct health_admission_client {
    int fd;
    enum listener_kind listener_kind;
    struct sockaddr_storage addr;
    socklen_t len;
};

/* What becomes of a client; both take the descriptor. */
struct health_admission_ways {
    /* Its whole head is there and asks for health; of TLS it is known only that it speaks.
     * False: there is no place now, and it waits on. */
    bool (*admit)(void *context, const struct health_admission_client *client);
    void (*refuse)(void *context, const struct health_admission_client *client);
    void *context;
};

/* NULL: out of memory. */
struct health_admission *health_admission_new(uv_loop_t *uv,
                                              const struct health_admission_ways *ways);
/* Refuses who still waits. The memory goes when uv has run. NULL: nothing */
void health_admission_free(struct health_admission *lobby);

/* Takes the descriptor, which does not block. */
void health_admission_enter(struct health_admission *lobby,
                            const struct health_admission_client *client);

#endif
