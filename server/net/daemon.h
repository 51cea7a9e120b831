/* SPDX-License-Identifier: Apache-2.0
 * daemon.h - one transport, and the registry of its connections. Belongs to one loop, used on
 * that loop's thread only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/http/listener_kind.h"

struct daemon;
struct loop;
struct socket_given;

/* Starts a daemon with or without TLS. NULL: out of memory or descriptors. */
struct daemon *daemon_new(struct loop *loop, bool tls);
/* Gives up suspended requests (exchange_expire), then closes all connections. */
void daemon_free(struct daemon *daemon);

struct transport *daemon_transport(const struct daemon *daemon);
/* Takes the descriptor; a refused connection is closed and uncounted
 * (loop_connection_closed). */
void daemon_add(struct daemon *daemon, const struct socket_given *given);
/* Sheds load, then enforces the deadlines of all connections. */
void daemon_sweep(struct daemon *daemon, uint64_t now_ms);
/* Returns true if a TLS record was sent or read since the previous call. */
bool daemon_moved_records(struct daemon *daemon);
/* Shuts idle connections down; from now on also connections that become idle. */
void daemon_drain(struct daemon *daemon, uint64_t now_ms);
