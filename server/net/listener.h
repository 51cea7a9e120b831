/* SPDX-License-Identifier: Apache-2.0
 * listener.h - listens on TCP and unix sockets, which the main loop polls, distributes accepted
 * connections over the loops and answers refused clients with 503. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

#include "server/shared.h"

struct listener;

/* Binds every --listen and --admin-listen, or takes the socket that was passed for it. NULL and
 * a sentence in *error: exit code 69 for an address that is taken or not ours, 78 for one that
 * is misspelt and a passed socket that does not listen, 70 without memory. */
struct listener *listener_new(struct service *service, uv_loop_t *uv,
                              struct service_error *error);
/* Starts to accept connections, which must not happen before the loops run. */
void listener_run(struct listener *listener);
/* Accepts queued connections, then closes the sockets: their descriptors when uv has run. The
 * connections queued at a passed socket are left to the next process. */
void listener_stop(struct listener *listener);
/* Whether a socket was passed by the service manager. */
bool listener_is_passed(const struct listener *listener);
void listener_free(struct listener *listener); /* after listener_stop and uv_run */

/* Returns the port of the i-th socket, 0 for a unix one; --admin-listen sockets come last. */
unsigned listener_port(const struct listener *listener, size_t i);
