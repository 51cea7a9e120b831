/* SPDX-License-Identifier: Apache-2.0
 * listener.h - the listening sockets, TCP and unix, polled by the main loop; deals accepted
 * connections out to the loops, tells surplus clients 503. */
#ifndef SERVER_LISTENER_H
#define SERVER_LISTENER_H

#include <stddef.h>
#include <uv.h>

#include "server/shared.h"

struct listener;

/* Binds every --listen of the configuration. NULL and a sentence in *error: exit code 69 for
 * an address that is taken or not ours, 78 for one that is misspelt. */
struct listener *listener_new(struct service *service, uv_loop_t *uv,
                              struct service_error *error);
/* Polls for connections. Not before the loops run. */
void listener_run(struct listener *listener);
/* Takes what is queued, then closes the sockets; the descriptors go when uv has run. */
void listener_stop(struct listener *listener);
void listener_free(struct listener *listener); /* after listener_stop and uv_run */

/* The port of the i-th socket, 0 for a unix one; those of --admin-listen come last. */
unsigned listener_port(const struct listener *listener, size_t i);

#endif
