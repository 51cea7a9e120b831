/* SPDX-License-Identifier: Apache-2.0
 * answer_queue.h - the order in which the long answers of a loop, those of batches, are made. A
 * connection enters the line of its peer before the work on its answer begins, and leaves it
 * when the bytes of the whole answer are its own. Only the first few of a line work meanwhile,
 * so that the request that came first is answered to the end, however many come later. A
 * connection that waits is woken when those before it have left, or when answers have given
 * bytes back.
 * Belongs to a loop, used on its thread only. */
#pragma once

#include <stdbool.h>

struct answer_line;
struct connection;
struct peer;

/* The connections at the head of a line that work at a time; the most that a line has; the
 * lines that a call of answer_queue_wake looks at. */
enum { ANSWER_QUEUE_AHEAD = 8, ANSWER_QUEUE_MOST = 256, ANSWER_QUEUE_LINES = 8 };

struct answer_queue { /* zeros: empty */
    struct answer_line *first;
    struct answer_line *next;  /* at which answer_queue_wake goes on; NULL: at the first */
    struct connection *holder; /* NULL: none of this loop */
};

/* Enters the line of the peer at its end. False: the line is full, or there is no memory. */
bool answer_queue_enter(struct answer_queue *queue, struct connection *connection,
                        const struct peer *peer);
/* Enters the line at its head, with an answer that has begun. False: there is no memory. */
bool answer_queue_return(struct answer_queue *queue, struct connection *connection,
                         const struct peer *peer);
/* A connection in a line is to wait for bytes. True: it is the one of the process, until it
 * leaves its line, whose answer may keep what it has meanwhile. False: another one is, and this
 * answer has to give all back: if two kept theirs, each could wait for those of the other. */
bool answer_queue_hold(struct answer_queue *queue, struct connection *connection);
bool answer_queue_is_ahead(const struct connection *connection);
/* Leaves the line, if the connection is in one, and wakes those who move up. */
void answer_queue_leave(struct answer_queue *queue, struct connection *connection);
/* An answer has given bytes back: wakes the one that holds, and of the next few lines the first
 * that waits for bytes. Each call goes on where the one before ended, so that the end of an
 * answer costs the same however many peers wait. */
void answer_queue_wake(struct answer_queue *queue);
/* Other loops may have given bytes back: wakes the one that holds, and of each line the first
 * that waits for bytes. */
void answer_queue_wake_all(struct answer_queue *queue);
