/* SPDX-License-Identifier: Apache-2.0
 * refused_clients.h - clients who are not let in: each is told 503 and why, the log is told of
 * all of them, and nobody's answer is lost because he is still sending. On the main thread. */
#ifndef SERVER_REFUSED_CLIENTS_H
#define SERVER_REFUSED_CLIENTS_H

#include <sys/socket.h>
#include <uv.h>

#include "server/http/listener_kind.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

struct refused_clients;

struct refused_clients *refused_clients_new(struct service *service,
                                            uv_loop_t *uv); /* NULL: out of memory */
/* Tells the log of the last. The memory goes when uv has run. NULL: nothing */
void refused_clients_free(struct refused_clients *surplus);

/* Says why and closes, after the client has sent what it may be sending. addr NULL: it has
 * none. */
void refused_clients_refuse(struct refused_clients *surplus, int fd,
                            const struct sockaddr *addr, enum listener_kind listener_kind,
                            enum metrics_reject reason);

#endif
