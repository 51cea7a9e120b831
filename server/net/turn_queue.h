/* SPDX-License-Identifier: Apache-2.0
 * turn_queue.h - the work that connections have a loop's thread do, and those connections that
 * wait for their turn to do more. In one iteration of the loop its connections may begin work
 * of about TURN_OPERATIONS together: a connection whose work does not fit is suspended, and has
 * its turn in a later iteration. Peers take turns, and so do the connections of a peer, in the
 * order in which they came. So a client that asks for something cheap waits for a millisecond
 * or two, and a client that reads a long answer has every second turn, however many connections
 * of another peer want a batch, a long answer or the metrics. A connection that waits has no
 * deadline: each iteration gives one a turn at least. Belongs to a loop, used on its thread
 * only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/net/turn.h"

struct connection;

#define TURN_OPERATIONS 1e6 /* a millisecond, in operations (core/posenc.h) */
#define TURN_FREE 50e3      /* work of less is done at once */

struct turn_queue {           /* zeros: empty */
    struct connection *first; /* the first of its peer, in the circle of those */
    double left;              /* operations that may begin in this iteration; 0 or less: none */
};

/* Begins an iteration: the first connection has its turn, and those behind it whose work fits
 * too; the daemon of those that are resumed has to be run. */
void turn_queue_begin(struct turn_queue *queue);
/* Returns whether the connection may do work of about so many operations now: it has its turn,
 * or it fits and no other connection waits. False: it has to wait (turn_queue_add). */
bool turn_queue_admits(struct turn_queue *queue, struct connection *connection,
                       double operations);
/* Lets a suspended connection wait for its turn, in which it does work of so many operations.
 * The next iteration has to begin though nothing happens. */
void turn_queue_add(struct turn_queue *queue, struct connection *connection, uint64_t peer,
                    double operations, turn_begin *begin);
/* Removes the connection, which has no turn then; those behind it move up. False: it did not
 * wait. */
bool turn_queue_leave(struct turn_queue *queue, struct connection *connection);
