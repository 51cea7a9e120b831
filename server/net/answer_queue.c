/* SPDX-License-Identifier: Apache-2.0
 * answer_queue.c - see answer_queue.h. A line exists while a connection is in it. */
#include "server/net/answer_queue.h"

#include <stddef.h>
#include <stdlib.h>

#include "server/net/connection.h"
#include "server/net/loop.h"
#include "server/shared.h"

struct answer_line {
    struct answer_line *next;
    const struct peer *peer;
    struct connection *first, *last;
    size_t count;
};

/* ---- lines --------------------------------------------------------------------------- */

static struct answer_line *find_line(const struct answer_queue *queue, const struct peer *peer)
{
    struct answer_line *line = queue->first;

    while (line && line->peer != peer)
        line = line->next;
    return line;
}

/* Returns the line of the peer, made if there is none; NULL: out of memory. */
static struct answer_line *take_line(struct answer_queue *queue, const struct peer *peer)
{
    struct answer_line *line = find_line(queue, peer);

    if (line || !(line = calloc(1, sizeof *line)))
        return line;
    line->peer = peer;
    line->next = queue->first;
    queue->first = line;
    return line;
}

static void drop_line(struct answer_queue *queue, struct answer_line *line)
{
    struct answer_line **at = &queue->first;

    while (*at != line)
        at = &(*at)->next;
    *at = line->next;
    if (queue->next == line)
        queue->next = line->next;
    free(line);
}

static void insert(struct answer_line *line, struct connection *connection,
                   struct connection *before)
{
    struct answer_place *place = &connection->place;

    *place = (struct answer_place){.line = line,
                                   .next = before,
                                   .prev = before ? before->place.prev : line->last};
    *(place->prev ? &place->prev->place.next : &line->first) = connection;
    *(before ? &before->place.prev : &line->last) = connection;
    line->count++;
}

/* ---- waking -------------------------------------------------------------------------- */

static void wake(struct connection *connection)
{
    connection->place.wait = ANSWER_WAIT_NONE;
    connection_resume(connection);
}

/* Wakes those at the head of the line whose turn it is, and the first that waits for bytes. */
static void wake_line(struct answer_line *line)
{
    struct connection *at = line->first;
    bool of_bytes = false;

    for (int i = 0; at && i < ANSWER_QUEUE_AHEAD; i++, at = at->place.next) {
        const enum answer_wait wait = at->place.wait;

        if (wait == ANSWER_WAIT_TURN || (wait == ANSWER_WAIT_BYTES && !of_bytes))
            wake(at);
        of_bytes |= wait == ANSWER_WAIT_BYTES;
    }
}

static void wake_holder(struct answer_queue *queue)
{
    if (queue->holder && queue->holder->place.wait == ANSWER_WAIT_BYTES)
        wake(queue->holder);
}

void answer_queue_wake(struct answer_queue *queue)
{
    struct answer_line *begun = queue->next ? queue->next : queue->first, *line = begun;

    wake_holder(queue);
    for (int i = 0; line && i < ANSWER_QUEUE_LINES; i++) {
        wake_line(line);
        line = line->next ? line->next : queue->first;
        if (line == begun)
            break;
    }
    queue->next = line;
}

void answer_queue_wake_all(struct answer_queue *queue)
{
    wake_holder(queue);
    for (struct answer_line *line = queue->first; line; line = line->next)
        wake_line(line);
}

/* ---- places -------------------------------------------------------------------------- */

bool answer_queue_enter(struct answer_queue *queue, struct connection *connection,
                        const struct peer *peer)
{
    struct answer_line *line = take_line(queue, peer);

    if (!line || line->count == ANSWER_QUEUE_MOST)
        return false;
    insert(line, connection, NULL);
    return true;
}

bool answer_queue_return(struct answer_queue *queue, struct connection *connection,
                         const struct peer *peer)
{
    struct answer_line *line = take_line(queue, peer);

    if (!line)
        return false;
    insert(line, connection, line->first);
    return true;
}

static atomic_bool *held_by_process(const struct connection *connection)
{
    return &loop_service(connection->loop)->answer_holds;
}

bool answer_queue_hold(struct answer_queue *queue, struct connection *connection)
{
    if (connection->place.holds)
        return true;
    if (atomic_exchange_explicit(held_by_process(connection), true, memory_order_relaxed))
        return false;
    connection->place.holds = true;
    queue->holder = connection;
    return true;
}

bool answer_queue_is_ahead(const struct connection *connection)
{
    const struct connection *at = connection->place.line->first;

    for (int i = 0; at && i < ANSWER_QUEUE_AHEAD; i++, at = at->place.next)
        if (at == connection)
            return true;
    return false;
}

void answer_queue_leave(struct answer_queue *queue, struct connection *connection)
{
    struct answer_place place = connection->place;

    if (!place.line)
        return;
    *(place.prev ? &place.prev->place.next : &place.line->first) = place.next;
    *(place.next ? &place.next->place.prev : &place.line->last) = place.prev;
    connection->place = (struct answer_place){.line = NULL};
    if (place.holds) {
        queue->holder = NULL;
        atomic_store_explicit(held_by_process(connection), false, memory_order_relaxed);
    }
    if (--place.line->count == 0)
        drop_line(queue, place.line);
    else
        wake_line(place.line);
}
