/* SPDX-License-Identifier: Apache-2.0
 * task_lane.h - threads of a process that run tasks of one kind, and the tasks that wait for
 * one of them. Peers take turns, so that a peer with a hundred tasks delays a task of another
 * peer by the tasks that run; of one peer the cheapest task begins first, but the oldest is
 * overtaken a few times only, since requests of other peers may wait for its answer. Tasks that
 * cost the same begin in the order in which they came. A task that makes what another peer
 * waits for may take that peer's turn. Thread-safe. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most so many cheaper tasks of a peer begin while its oldest task waits. */
enum { TASK_LANE_OVERTAKES = 3 };

struct task_lane_size {
    size_t threads;
    /* Most tasks that wait in all, and of one peer. A peer may also have no more tasks waiting
     * than there are places left, so that a few peers leave some to others. */
    size_t most, peer_most;
    int lower_priority; /* added to the nice value of the threads */
};

/* Where tasks come back to when they have run: a list of one thread, which takes it. */
struct task_lane_home {
    struct task_lane_task *first, *last;
    /* Makes that thread call task_lane_take soon. Called on another thread, with the lock of
     * the lane, when the list is no longer empty: it must return at once. */
    void (*wake)(struct task_lane_home *home);
};

struct task_lane_task { /* its memory must stay until it is taken back, or removed */
    struct task_lane_task *next;
    struct task_lane_home *home;
    uint64_t peer;      /* whose task it is */
    double operations;  /* what it costs */
    const void *makes;  /* what requests of other peers may wait for; NULL: nothing */
    uint64_t order;     /* of its arrival; this and the next are for the lane alone */
    unsigned overtaken; /* how often a cheaper task of the peer began while it was the oldest */
    atomic_bool begun;  /* a thread runs it, or has run it */
    void (*run)(struct task_lane_task *task); /* on a thread of the lane */
};

struct task_lane;

/* Starts the threads. NULL: out of memory, or a thread cannot be started. */
struct task_lane *task_lane_new(const struct task_lane_size *size);
void task_lane_free(struct task_lane *lane); /* no task may be left; NULL: nothing */

enum task_lane_result {
    TASK_LANE_ADDED,
    TASK_LANE_PEER_FULL, /* the peer has as many tasks waiting as it may */
    TASK_LANE_FULL,      /* no peer finds a place */
};
/* Adds a task, whose home, peer, operations and run are set. */
enum task_lane_result task_lane_add(struct task_lane *lane, struct task_lane_task *task);
/* Returns what task_lane_add would. */
enum task_lane_result task_lane_try(struct task_lane *lane, uint64_t peer);
/* Returns whether so many tasks of the peer wait as may of one peer. */
bool task_lane_peer_has_most(struct task_lane *lane, uint64_t peer);
/* A request of the peer waits for what a task makes. If the task waits as well and would begin
 * sooner among the tasks of this peer, it is this peer's from now on. Returns whether it is. */
bool task_lane_hasten(struct task_lane *lane, const void *makes, uint64_t peer);
/* Removes a task that waits. False: it has begun. */
bool task_lane_remove(struct task_lane *lane, struct task_lane_task *task);
/* Takes the tasks that have run, in the order of their ends: a list by `next`. */
struct task_lane_task *task_lane_take(struct task_lane *lane, struct task_lane_home *home);
size_t task_lane_threads(const struct task_lane *lane);
