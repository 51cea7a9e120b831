/* SPDX-License-Identifier: Apache-2.0
 * turn_queue.c - see turn_queue.h. A suspended connection is never closed, so that all that are
 * in the queue exist. */
#include "server/net/turn_queue.h"

#include <assert.h>
#include <stddef.h>

#include "server/net/connection.h"

enum { PEERS_SEARCHED = 64 }; /* a peer beyond them has a turn for each of its connections */

/* The first connection leaves, and its peer, if others of it wait, is the last one. */
static void give_turn(struct turn_queue *queue)
{
    struct connection *first = queue->first;
    const bool alone = first->turn.behind == first;

    (void)turn_queue_leave(queue, first);
    if (!alone)
        queue->first = queue->first->turn.after;
    first->turn.begin(first);
}

void turn_queue_begin(struct turn_queue *queue)
{
    queue->left = TURN_OPERATIONS;
    while (queue->first &&
           (queue->left == TURN_OPERATIONS || queue->first->turn.operations <= queue->left)) {
        queue->left -= queue->first->turn.operations;
        give_turn(queue);
    }
}

bool turn_queue_admits(struct turn_queue *queue, struct connection *connection,
                       double operations)
{
    if (operations < TURN_FREE)
        return true;
    if (connection->turn.begun) {
        connection->turn.begun = false;
        return true;
    }
    if (queue->first || queue->left <= 0)
        return false;
    queue->left -= operations;
    return true;
}

/* Returns the first connection of the peer that waits. NULL: none is among the first peers. */
static struct connection *find(const struct turn_queue *queue, uint64_t peer)
{
    struct connection *at = queue->first;

    for (int i = 0; at && i < PEERS_SEARCHED; i++) {
        if (at->turn.peer == peer)
            return at;
        at = at->turn.after != queue->first ? at->turn.after : NULL;
    }
    return NULL;
}

/* Adds the connection to the circle of first ones, as the last. */
static void append(struct turn_queue *queue, struct connection *connection)
{
    struct connection *first = queue->first ? queue->first : connection;
    struct connection *last = queue->first ? first->turn.before : connection;

    connection->turn.before = last;
    connection->turn.after = first;
    last->turn.after = first->turn.before = connection;
    queue->first = first;
}

void turn_queue_add(struct turn_queue *queue, struct connection *connection, uint64_t peer,
                    double operations, turn_begin *begin)
{
    struct connection *first = find(queue, peer);
    struct connection *last = first ? first->turn.ahead : connection;

    assert(!connection->turn.behind);
    connection->turn = (struct turn){.peer = peer,
                                     .operations = operations,
                                     .begin = begin,
                                     .ahead = last,
                                     .behind = first ? first : connection};
    if (first)
        last->turn.behind = first->turn.ahead = connection;
    else
        append(queue, connection);
}

/* The next connection of its peer takes the place of a first one; if there is none, the first
 * ones beside it close up. */
static void replace(struct turn_queue *queue, struct connection *first)
{
    struct connection *next = first->turn.behind != first ? first->turn.behind : NULL;
    struct connection *before = first->turn.before, *after = first->turn.after;
    const bool others = after != first;

    if (next) {
        next->turn.before = others ? before : next;
        next->turn.after = others ? after : next;
    }
    if (others) {
        before->turn.after = next ? next : after;
        after->turn.before = next ? next : before;
    }
    if (queue->first == first)
        queue->first = next ? next : others ? after : NULL;
}

bool turn_queue_leave(struct turn_queue *queue, struct connection *connection)
{
    struct turn *turn = &connection->turn;

    if (!turn->behind)
        return false;
    if (turn->after)
        replace(queue, connection);
    turn->ahead->turn.behind = turn->behind;
    turn->behind->turn.ahead = turn->ahead;
    turn->ahead = turn->behind = turn->before = turn->after = NULL;
    return true;
}
