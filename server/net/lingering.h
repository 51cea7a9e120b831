/* SPDX-License-Identifier: Apache-2.0
 * lingering.h - lingering close (RFC 9112, 9.6): a client may still be sending when its
 * connection is over. Closing the socket on unread bytes would reset the connection and destroy
 * the answer on its way, so the socket is kept, and arriving bytes are dropped, until the
 * client closes its side. A client gets some seconds and --max-body bytes, but at least 64 MiB,
 * for that; 1/16 of --max-connections may linger at once. All that linger on a thread are read
 * and closed in turns, so that an iteration of its loop takes a fraction of a millisecond for
 * them, however many push bytes as fast as they can. Owned by its loop's thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lingering;
struct peer;
struct service;
struct socket_poll;

enum {
    LINGERING_MS = 5000,
    LINGERING_SHARE = 16,
    LINGERING_READS = 16,            /* connections read in one iteration of the loop */
    LINGERING_READ_BYTES = 64 << 10, /* read of each of them */
    LINGERING_CLOSES = 16, /* connections closed in one iteration, since their time is over */
};

/* A connection lingers for `ms`, or a few iterations of the loop longer; at most `places`
 * linger here at once, within the share of all. `sockets` outlives the result; it reports
 * LINGERING_READS sockets in one iteration, and other callers of this function on the thread
 * share it. `gone` (may be NULL) is called when a connection that lingered is closed. NULL: out
 * of memory. */
struct lingering *lingering_new(struct service *service, struct socket_poll *sockets,
                                uint64_t ms, size_t places,
                                void (*gone)(void *context, struct peer *peer), void *context);
/* Closes the connections that linger and calls `gone` for each. The memory is freed when the
 * libuv loop has run once more. */
void lingering_free(struct lingering *lingering);

/* Keeps the connection of this socket, which its peer counts, open through a descriptor of its
 * own, when its client has not closed its side yet and may still be sending: bytes of it are
 * unread, or `unfinished`. The caller closes `fd` in any case. False: there is nothing to wait
 * for, or no place, memory or descriptor left. When the share is used up, the connection that
 * lingered longest here is closed. */
bool lingering_keep(struct lingering *lingering, int fd, struct peer *peer, bool unfinished);
