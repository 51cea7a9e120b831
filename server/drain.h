/* SPDX-License-Identifier: Apache-2.0
 * drain.h - stops a service without losing a response. First /readyz answers 503, and other
 * requests are still served, with Connection: close. Then no more connections are accepted. The
 * service ends when the last connection has closed. The next process has a socket of the
 * service manager only when this one has ended: at such a socket connections are accepted and
 * answered as long as one is open that came before. */
#pragma once

#include <stdint.h>
#include <uv.h>

struct drain;
struct listener;
struct service;

/* `done` is called on the main loop when no connection is left, or the time is up. */
struct drain *drain_new(struct service *service, struct listener *listener, uv_loop_t *uv,
                        void (*done)(struct service *service)); /* NULL: out of memory */
/* Begins to drain; a second call changes nothing. */
void drain_begin(struct drain *drain, uint64_t delay_ms, uint64_t timeout_ms);
void drain_stop(struct drain *drain); /* closes its handle */
void drain_free(struct drain *drain); /* after drain_stop and uv_run */
