/* SPDX-License-Identifier: Apache-2.0
 * refused_clients.h - answers refused clients: each gets a 503 with the reason, the log counts
 * them, and no answer is lost because its client is still sending. On the main thread. */
#pragma once

#include <uv.h>

#include "server/http/listener_kind.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

struct refused_clients;

struct refused_clients *refused_clients_new(struct service *service,
                                            uv_loop_t *uv); /* NULL: out of memory */
/* Logs the last refusals. The memory is freed when uv has run. NULL: nothing */
void refused_clients_free(struct refused_clients *refused);

/* Sends the reason and closes, after the client has sent what it may be sending. */
void refused_clients_refuse(struct refused_clients *refused, int fd,
                            enum listener_kind listener_kind, enum metrics_reject reason);
