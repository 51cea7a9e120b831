/* SPDX-License-Identifier: Apache-2.0
 * turn.h - the place of a connection in a turn_queue. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct connection;

/* The connection has its turn, and is in the queue no more. The function does the work, and may
 * add the connection again; or it sets turn.begun and resumes the connection, which then asks
 * turn_queue_admits. */
typedef void turn_begin(struct connection *connection);

/* The work for which a connection waits, and its neighbours in the queue. Zeros: it waits for
 * none. The connections of a peer are a circle, whose first one is also in the circle of the
 * first ones of all peers. */
struct turn {
    uint64_t peer;     /* number of the peer that the work belongs to */
    double operations; /* of the work */
    turn_begin *begin;
    bool begun;                        /* the connection may do that work now */
    struct connection *ahead, *behind; /* of the same peer */
    struct connection *before, *after; /* the first ones of other peers; NULL: it is none */
};
