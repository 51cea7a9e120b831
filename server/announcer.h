/* SPDX-License-Identifier: Apache-2.0
 * announcer.h - announces the state of a service to the service manager: ready, reloading,
 * stopping, and alive as long as every loop is. */
#pragma once

#include <uv.h>

struct announcer;
struct notify_socket;
struct service;

/* NULL: out of memory. */
struct announcer *announcer_new(struct service *service, uv_loop_t *uv);
/* Announces to this manager from now on; what holds already is announced at once. Called on the
 * main thread before the main loop runs; the socket must outlive the service. */
void announcer_begin(struct announcer *announcer, const struct notify_socket *notify);
/* Announces that the service is ready, if it is. Any thread. */
void announcer_ready(struct announcer *announcer);
/* Announces a reload, which announcer_ready ends, and the end of the service. */
void announcer_reloading(struct announcer *announcer);
void announcer_stopping(struct announcer *announcer);
void announcer_stop(struct announcer *announcer); /* closes its handle */
void announcer_free(struct announcer *announcer); /* after announcer_stop and uv_run */
