/* SPDX-License-Identifier: Apache-2.0
 * answer_place.h - the place of a connection in an answer_queue. */
#pragma once

#include <stdbool.h>

struct answer_line;
struct connection;

/* What a suspended connection waits for: the connections before it in its line, or bytes that
 * other answers give back. */
enum answer_wait { ANSWER_WAIT_NONE, ANSWER_WAIT_TURN, ANSWER_WAIT_BYTES };

struct answer_place { /* of a connection; zeros: it is in no line */
    struct answer_line *line;
    struct connection *next, *prev;
    enum answer_wait wait; /* set by the caller, which suspends the connection */
    bool holds;            /* answer_queue_hold */
};
