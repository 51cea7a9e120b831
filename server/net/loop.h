/* SPDX-License-Identifier: Apache-2.0
 * loop.h - one thread with its libuv loop: what other threads hand to it, and what the code
 * that runs on it needs. loop_thread.h starts and ends it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "server/http/listener_kind.h"
#include "server/net/mailbox.h"
#include "server/net/turn.h"

struct service;
struct exchange_loop;
struct connection;
struct metrics_slab;
struct secret_set;
struct socket_poll;
struct turn_queue;

struct loop; /* defined in loop_state.h */

/* Hands over an accepted, non-blocking socket, whose peer counts it (any thread). Takes the
 * descriptor, and counts the connection in the loop and in the service; loop_connection_closed
 * uncounts it in all three. */
void loop_give_entered(struct loop *loop, const struct socket_given *given);
/* Does the same for a socket that no peer counts yet: it is counted, and never refused. */
void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len,
               enum listener_kind listener_kind);
/* Calls node->fn on the loop's thread, soon (any thread). Several posts cause one wake-up. */
void loop_post(struct loop *loop, struct loop_post *node);

/* The functions from here to loop_sweep_by are called on the loop's thread only. */
struct service *loop_service(const struct loop *loop);
/* True of one loop, which does what is done once for the process. */
bool loop_is_first(const struct loop *loop);
struct exchange_loop *loop_exchanges(const struct loop *loop);
struct metrics_slab *loop_metrics(const struct loop *loop);
const struct secret_set *loop_secrets(const struct loop *loop); /* 100 ms old at most */
struct socket_poll *loop_sockets(const struct loop *loop);
struct socket_poll *loop_lingering_sockets(const struct loop *loop);
struct turn_queue *loop_turns(struct loop *loop);
/* Lets a suspended connection wait for its turn for that work of the peer (turn_queue.h). */
void loop_await_turn(struct loop *loop, struct connection *connection, uint64_t peer,
                     double operations, turn_begin *begin);
uint64_t loop_now_ms(const struct loop *loop); /* cached monotonic clock */
void loop_run_daemon(struct loop *loop); /* serves its daemons before the loop sleeps again */
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
/* Uncounts a closed connection (on the loop's thread). */
void loop_connection_closed(struct loop *loop, struct peer *peer);
uint64_t loop_heartbeat_ms(const struct loop *loop); /* time of the last tick (any thread) */
/* Whether that was in the last five seconds; otherwise the loop is stuck (any thread). */
bool loop_is_alive(const struct loop *loop, uint64_t now_ms);
