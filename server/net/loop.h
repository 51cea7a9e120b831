/* SPDX-License-Identifier: Apache-2.0
 * loop.h - one thread, one libuv loop, one libmicrohttpd daemon in external-epoll mode. */
#ifndef SERVER_LOOP_H
#define SERVER_LOOP_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "server/http/listener_kind.h"

struct service;
struct exchange_loop;
struct connection;
struct metrics_slab;
struct secret_set;
struct socket_poll;

struct loop; /* server/net/loop.c has its parts */

/* A started loop, its thread running; NULL and a log line when it cannot. */
struct loop *loop_new(struct service *service, size_t index);
/* Hand over an accepted, non-blocking socket (any thread). Takes the descriptor, and counts
 * the connection in the loop and in the service; when it ends, its client has one less. */
void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len,
               enum listener_kind listener_kind);
/* Run `fn` on the loop's thread, soon (any thread). `node` is the caller's storage and may be
 * reused once fn was called. Several posts are one wake-up. */
struct loop_post {
    struct loop_post *next;
    void (*fn)(struct loop_post *node);
};
void loop_post(struct loop *loop, struct loop_post *node);

/* On the loop's thread: */
struct service *loop_service(const struct loop *loop);
struct exchange_loop *loop_exchanges(const struct loop *loop);
struct metrics_slab *loop_metrics(const struct loop *loop);
const struct secret_set *loop_secrets(const struct loop *loop); /* 100 ms old at most */
uv_loop_t *loop_uv(struct loop *loop);
struct socket_poll *loop_sockets(const struct loop *loop);
uint64_t loop_now_ms(const struct loop *loop); /* cached monotonic clock */
void loop_run_daemon(struct loop *loop);       /* MHD_run before the loop sleeps again */
void loop_called(
    struct loop *loop); /* by libmicrohttpd, in a turn of the daemon: busy_loop_guard.h */
void loop_sweep_by(struct loop *loop,
                   uint64_t ms); /* connection_sweep for all, then or before */

/* Drain: idle connections are shut down, answers carry Connection: close (any thread). */
void loop_drain(struct loop *loop);
size_t loop_connections(const struct loop *loop); /* given and not yet gone (any thread) */
/* A connection that was given is closed (on the loop's thread). addr NULL: it has none. */
void loop_gone(struct loop *loop, const struct sockaddr *addr);
uint64_t loop_heartbeat_ms(const struct loop *loop); /* last turn of the loop (any thread) */
/* The end, in two steps, so that no loop is woken by another after it is gone: first every
 * loop gives up its connections (blocks until it has), then every loop is freed. */
void loop_halt(struct loop *loop);
void loop_free(struct loop *loop);

#endif
