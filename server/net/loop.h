/* SPDX-License-Identifier: Apache-2.0
 * loop.h - one thread with its libuv loop: what other threads hand to it, and what the code
 * that runs on it needs. loop_thread.h starts and ends it. */
#pragma once

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "server/http/listener_kind.h"
#include "server/net/mailbox.h"

struct service;
struct exchange_loop;
struct connection;
struct inflight_account;
struct metrics_slab;
struct secret_set;
struct socket_poll;

struct loop; /* defined in loop_state.h */

/* Hands over an accepted, non-blocking socket (any thread). Takes the descriptor, and counts
 * the connection in the loop and in the service; loop_connection_closed uncounts it there and
 * by address. */
void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len,
               enum listener_kind listener_kind);
/* Calls node->fn on the loop's thread, soon (any thread). Several posts cause one wake-up. */
void loop_post(struct loop *loop, struct loop_post *node);

/* The functions from here to loop_sweep_by are called on the loop's thread only. */
struct service *loop_service(const struct loop *loop);
struct exchange_loop *loop_exchanges(const struct loop *loop);
struct metrics_slab *loop_metrics(const struct loop *loop);
struct inflight_account *loop_account(const struct loop *loop); /* inflight.h */
const struct secret_set *loop_secrets(const struct loop *loop); /* 100 ms old at most */
uv_loop_t *loop_uv(struct loop *loop);
struct socket_poll *loop_sockets(const struct loop *loop);
uint64_t loop_now_ms(const struct loop *loop); /* cached monotonic clock */
void loop_run_daemon(struct loop *loop);       /* calls MHD_run before the loop sleeps again */
void loop_called(struct loop *loop); /* counts a call by libmicrohttpd (busy_loop_guard.h) */
void loop_sweep_by(struct loop *loop,
                   uint64_t ms); /* sweeps all connections at `ms` or before */

/* Drain: idle connections are shut down, answers carry Connection: close (any thread). */
void loop_drain(struct loop *loop);
/* The connections that were open when the loop drained and are open still; SIZE_MAX while it
 * has not drained (any thread). */
size_t loop_leaving(const struct loop *loop);
void loop_count_leaving(struct loop *loop, int change); /* on the loop's thread */
size_t loop_connections(const struct loop *loop); /* given and not yet closed (any thread) */
/* Uncounts a closed connection (on the loop's thread). addr NULL: its client has none. */
void loop_connection_closed(struct loop *loop, const struct sockaddr *addr);
uint64_t loop_heartbeat_ms(const struct loop *loop); /* time of the last tick (any thread) */
/* Whether that was in the last five seconds; otherwise the loop is stuck (any thread). */
bool loop_is_alive(const struct loop *loop, uint64_t now_ms);
