/* SPDX-License-Identifier: Apache-2.0
 * service.h - the life of a posencd from its start to its end (shared.h is what its threads
 * share). */
#ifndef SERVER_SERVICE_H
#define SERVER_SERVICE_H

#include "server/shared.h"

/* Loading is over (any thread): /readyz turns 200 unless it is stopping already. */
void service_ready(struct service *service);

/* Everything started and listening; config must have passed config_check. The log is the
 * caller's and must outlive the service; NULL: nothing is logged. NULL and *error if it
 * cannot start. */
struct service *service_new(const struct config *config, struct log *log,
                            struct service_error *error);
/* The main loop: accepts, drains, until it is stopped. On one thread, once. */
void service_run(struct service *service);
/* Any thread, also before service_run: drain then end; end now. */
void service_drain(struct service *service, uint64_t delay_ms, uint64_t timeout_ms);
void service_stop_now(struct service *service);
/* Reload what is re-read on HUP: marks what was cached for targets as stale. */
void service_reload(struct service *service);
void service_free(struct service *service); /* after service_run returned; NULL: nothing */

/* The same in threads of its own, for tests: running when it returns; stopped, joined and
 * freed. */
struct service *service_start(const struct config *config, struct log *log,
                              struct service_error *error);
void service_stop(struct service *service);

/* The port of the i-th --listen, then --admin-listen; 0 if that is a unix socket. */
unsigned service_port(const struct service *service, size_t i);

#endif
