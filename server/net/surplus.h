/* SPDX-License-Identifier: Apache-2.0
 * surplus.h - clients who are not let in: each is told 503 and why, the log is told of all of
 * them, and nobody's answer is lost because he is still sending. On the main thread. */
#ifndef SERVER_SURPLUS_H
#define SERVER_SURPLUS_H

#include <sys/socket.h>
#include <uv.h>

#include "server/http/door.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

struct surplus;

struct surplus *surplus_new(struct service *service, uv_loop_t *uv); /* NULL: out of memory */
/* Tells the log of the last. The memory goes when uv has run. NULL: nothing */
void surplus_free(struct surplus *surplus);

/* Says why and closes, after the client has sent what it may be sending. addr NULL: it has
 * none. */
void surplus_refuse(struct surplus *surplus, int fd, const struct sockaddr *addr,
                    enum door door, enum metrics_reject reason);

#endif
