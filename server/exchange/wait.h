/* SPDX-License-Identifier: Apache-2.0
 * wait.h - what a suspended exchange waits for, one thing at a time: work on the pool, an
 * entry that another exchange makes (cache_wait.h), or the turn and the bytes of a batch.
 * Work on the pool owns all that it needs, so that it outlives an exchange that gives up. */
#pragma once

#include "server/exchange/internal.h"
#include "server/sys/thread_pool.h"

struct wait;

struct wait_kind {
    /* Works, on a thread of the pool. NULL: somebody else does the work. */
    void (*run)(struct wait *wait);
    enum span_step step; /* what `run` does; SPAN_WAIT: .settle says what it did */
    /* On the loop's thread, once: hands the result to the exchange, whose next step it may set,
     * and frees the wait, if nobody else has it. ex: NULL if it gave up, or found no place on
     * the pool. */
    void (*settle)(struct wait *wait, struct exchange *ex);
    /* The exchange gives up: work that has begun is to end soon. True: work that has not begun
     * never does. NULL: .stops decides. */
    bool (*cancel)(struct wait *wait, struct exchange *ex);
    /* When the exchange gives up, wait->stop is set, and work that has not begun never does. At
     * the deadline it is set too, but work that has begun has a result. Without .cancel and
     * .stops all is done to its end, even if no exchange waits. */
    bool stops;
    bool idle; /* nothing works: ex->step ends the wait, and so does a client that leaves */
};

struct wait { /* the first member of a kind's own structure */
    struct thread_pool_task task;
    const struct wait_kind *kind;
    struct exchange *ex; /* NULL: the exchange gave up */
    struct pe_stop stop; /* of the work */
    bool stopped;        /* at the deadline */
    exchange_step *late; /* the next step at the deadline; NULL: 503 is next */
    /* Sets by `run`: operations of another run, a task of its own, before the wait is over; 0:
     * there is none. At the deadline of the request none begins. */
    double again;
    struct client *client; /* whose limit the work is taken of, referred to; NULL: none */
    bool is_timed;         /* the time of `run` is measured */
    uint64_t work_ns;      /* of `run`, where it is timed */
};

/* Suspends the exchange until the work, which it takes over, is done. operations: as of a task.
 * If the pool is full, the problem's step is next. */
enum next wait_start(struct exchange *ex, struct wait *wait, const struct wait_kind *kind,
                     double operations);
/* Does the same, but returns false if the pool is full, and leaves the work to the caller. */
bool wait_try(struct exchange *ex, struct wait *wait, const struct wait_kind *kind,
              double operations);
/* The exchange waits for work of others, who call wait_over on its loop's thread. */
void wait_begin(struct exchange *ex, struct wait *wait, const struct wait_kind *kind);
/* Settles the wait and resumes the connection, unless the exchange gave up. */
void wait_over(struct wait *wait);
/* The exchange waits no longer, if it did. */
void wait_cancel(struct exchange *ex);
/* Cancels work that has not begun, if its kind can be cancelled; else returns false. */
bool wait_cancel_if_queued(struct exchange *ex);
/* Asks work to end soon with a result. False: there is none to ask, or it was asked before. */
bool wait_stop(struct exchange *ex);

/* Suspends the exchange for so many ms, or until its client leaves; then the step is next.
 * Without memory it is next at once. */
enum next wait_hold(struct exchange *ex, uint64_t ms, exchange_step *then);

/* Suspends the connection until its turn for the work of which exchange_may_work said false. */
void wait_turn(struct exchange *ex);
