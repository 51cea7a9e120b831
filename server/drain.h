/* SPDX-License-Identifier: Apache-2.0
 * drain.h - stopping without losing an answer: /readyz says 503 while we serve on with
 * Connection: close, then no more connections, then the end when the last one is gone. */
#ifndef SERVER_DRAIN_H
#define SERVER_DRAIN_H

#include <stdint.h>
#include <uv.h>

struct drain;
struct listener;
struct service;

/* `done` is called on the main loop when nothing is left, or the time is up. */
struct drain *drain_new(struct service *service, struct listener *listener, uv_loop_t *uv,
                        void (*done)(struct service *service)); /* NULL: out of memory */
/* Begins, once: later calls change nothing. */
void drain_begin(struct drain *drain, uint64_t delay_ms, uint64_t timeout_ms);
void drain_stop(struct drain *drain); /* closes its handle */
void drain_free(struct drain *drain); /* after drain_stop and uv_run */

#endif
