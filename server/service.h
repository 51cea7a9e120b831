/* SPDX-License-Identifier: Apache-2.0
 * service.h - start, stop and reload of a service; shared.h has the state that its threads
 * share. */
#pragma once

#include "server/shared.h"

struct notify_socket;

/* Loading is over: /readyz answers 200, unless the service is stopping already. Any thread. */
void service_ready(struct service *service);

/* The process must ignore SIGPIPE, which sendfile(2) raises when a client has left, and
 * SIGXFSZ, which the writing of a file of memory raises at RLIMIT_FSIZE.
 *
 * A service whose loops run and whose sockets listen; config must have passed config_check. The
 * log must outlive the service; a NULL log logs nothing. NULL and *error if it cannot start. */
struct service *service_new(const struct config *config, struct log *log,
                            struct service_error *error);
/* Runs the main loop, which accepts connections, until the service is stopped. Called once. */
void service_run(struct service *service);
/* Announces the state of the service to this service manager from now on. Called between
 * service_new and service_run; the socket must outlive the service. */
void service_announce_to(struct service *service, const struct notify_socket *notify);
/* Drains, then ends the service / ends it now. Any thread, also before service_run. */
void service_drain(struct service *service, uint64_t delay_ms, uint64_t timeout_ms);
void service_stop_now(struct service *service);
/* Reads the files of the operator again and makes ready-made responses stale (SIGHUP). */
void service_reload(struct service *service);
void service_free(
    struct service *service); /* after service_run has returned; NULL is ignored */

/* service_new and service_run in a thread of its own / stop, join and free; for tests. */
struct service *service_start(const struct config *config, struct log *log,
                              struct service_error *error);
void service_stop(struct service *service);

/* The port of the i-th address of --listen, then of --admin-listen; 0 for a unix socket. */
unsigned service_port(const struct service *service, size_t i);
