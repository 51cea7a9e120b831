/* SPDX-License-Identifier: Apache-2.0
 * health_admission.h - lets a client that connects when no connection is left, or none for its
 * address, wait until it is known what it asks for: a request for health is admitted at any
 * level of overload, every other client is answered 503. A few clients wait at once, for a
 * fifth of a second; one more replaces the oldest, so that silent clients keep nobody out. Used
 * on the main thread only. */
#pragma once

#include <stdbool.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/http/listener_kind.h"
#include "server/sys/metrics.h"

struct health_admission;

struct health_admission_client {
    int fd;
    enum listener_kind listener_kind;
    enum metrics_reject reason; /* which limit is reached, for the answer of a refused client */
    struct sockaddr_storage addr;
    socklen_t len;
};

/* The callbacks that end a client's wait. Both take the descriptor, unless admit is false. */
struct health_admission_callbacks {
    /* The whole head has arrived and asks for health; of a TLS client only first bytes have.
     * False: no connection is left for the client now, and it waits on. */
    bool (*admit)(void *context, const struct health_admission_client *client);
    void (*refuse)(void *context, const struct health_admission_client *client);
    void *context;
};

/* NULL: out of memory. */
struct health_admission *health_admission_new(
    uv_loop_t *uv, const struct health_admission_callbacks *callbacks);
/* Refuses the clients that still wait. The memory is freed when uv has run. NULL: nothing */
void health_admission_free(struct health_admission *admission);

/* Takes the descriptor, which must be non-blocking. */
void health_admission_enter(struct health_admission *admission,
                            const struct health_admission_client *client);
