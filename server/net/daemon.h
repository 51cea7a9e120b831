/* SPDX-License-Identifier: Apache-2.0
 * daemon.h - one libmicrohttpd daemon without threads and without a listening socket, and
 * the registry of its connections. Belongs to one loop, used on that loop's thread only. */
#ifndef SERVER_DAEMON_H
#define SERVER_DAEMON_H

#include <microhttpd.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "server/http/listener_kind.h"

struct daemon;
struct loop;

/* With or without TLS. NULL: it could not start (out of memory or descriptors). */
struct daemon *daemon_new(struct loop *loop, bool tls);
/* What is suspended is given up (exchange_expire), then all connections are closed. */
void daemon_free(struct daemon *daemon);

int daemon_epoll_fd(const struct daemon *daemon);
/* Takes the descriptor; a refused one is closed and no longer counted (loop_gone). */
void daemon_add(struct daemon *daemon, int fd, const struct sockaddr *addr, socklen_t len,
                enum listener_kind listener_kind);
/* Serve what is ready. Returns how long it may be left alone, in ms; UINT64_MAX: for ever. */
uint64_t daemon_run(struct daemon *daemon);
/* Deadlines of all connections. */
void daemon_sweep(struct daemon *daemon, uint64_t now_ms);
/* With TLS: a record was sent or read since this was asked before. */
bool daemon_moved_records(struct daemon *daemon);
/* Idle connections are shut down; from now on also those that become idle. */
void daemon_drain(struct daemon *daemon, uint64_t now_ms);

#endif
