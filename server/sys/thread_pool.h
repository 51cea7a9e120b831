/* SPDX-License-Identifier: Apache-2.0
 * thread_pool.h - runs tasks that take too long for a loop's thread, in two lanes of the
 * process (task_lane.h): quick tasks in one, expensive ones in the other, so that a quick task
 * never waits for an expensive one, and peers take turns in both. Each loop has a pool; `done`
 * of a task is called on that loop's thread. The number of tasks that wait is bounded, in all
 * and of one peer: refusing is better than queueing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/sys/task_lane.h"

struct thread_pool;

/* Most quick tasks that wait, for each of the first THREAD_POOL_LOOPS loops, and of one peer.
 * The search for a peer is linear, so their number is bounded however many loops there are. */
enum { THREAD_POOL_MOST = 128, THREAD_POOL_PEER_MOST = 64, THREAD_POOL_LOOPS = 8 };
/* Most expensive tasks that wait, and of one peer. */
enum { THREAD_POOL_EXPENSIVE_MOST = 64, THREAD_POOL_EXPENSIVE_PEER_MOST = 16 };
#define THREAD_POOL_EXPENSIVE 20e6 /* operations (core/posenc.h); more are expensive */

enum thread_pool_result {
    THREAD_POOL_ADDED,
    THREAD_POOL_PEER_FULL, /* as many quick tasks of the peer wait as may */
    THREAD_POOL_FULL,      /* as many quick tasks wait as may */
    THREAD_POOL_EXPENSIVE_PEER_FULL,
    THREAD_POOL_EXPENSIVE_FULL,
};

/* The lanes of a process, which outlive its pools. */
struct thread_pool_lanes {
    struct task_lane *quick, *expensive;
};

/* The first member of the caller's structure, which must stay until `done`. */
struct thread_pool_task {
    struct task_lane_task in_lane; /* first: a task of a lane is cast to its task */
    struct thread_pool *pool;
    uint64_t peer;     /* the client whose task it is, set by the caller; 0: the service */
    double operations; /* rough number of operations, set by the caller */
    const void *makes; /* what requests of other peers may wait for, set by the caller */
    bool expensive;
    uint64_t added_ns, waited_ns;                /* waited_ns: in `done`, until `run` */
    bool cancelled;                              /* in `done`: `run` was never called */
    enum thread_pool_result result;              /* of thread_pool_add */
    void (*run)(struct thread_pool_task *task);  /* on a thread of a lane */
    void (*done)(struct thread_pool_task *task); /* on the loop's thread, once, always */
};

/* How a lane gets a loop to call thread_pool_settle: `wake` is called on any thread, not again
 * before that call, and must return at once. */
struct thread_pool_wake {
    void (*wake)(void *context);
    void *context;
};

/* The threads of both lanes for `workers` and so many loops, at least two; those of the lane of
 * expensive tasks are half of them at most. */
size_t thread_pool_threads(size_t workers, size_t loops);
size_t thread_pool_expensive_threads(size_t workers, size_t loops);
/* Starts the threads. False: out of memory, or a thread cannot be started. */
bool thread_pool_open_lanes(struct thread_pool_lanes *lanes, size_t workers, size_t loops);
void thread_pool_close_lanes(struct thread_pool_lanes *lanes); /* no pool is left */

/* NULL: out of memory. */
struct thread_pool *thread_pool_new(const struct thread_pool_lanes *lanes,
                                    struct thread_pool_wake wake);
void thread_pool_free(struct thread_pool *pool); /* nothing may be pending; NULL: nothing */
/* False: there is no place, task->result says why, and neither `run` nor `done` will be
 * called. */
bool thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task);
/* Returns the sentence for the client whose task was not taken. */
const char *thread_pool_refusal(enum thread_pool_result result);
/* thread_pool_add would take a task of the peer that is not expensive. */
bool thread_pool_has_place(const struct thread_pool *pool, uint64_t peer);
/* A request of the peer waits for what a task makes, whose loop may be another one: the task
 * takes the turn of this peer, if that is sooner. */
void thread_pool_hasten(struct thread_pool *pool, const void *makes, uint64_t peer);
/* True: `run` will never be called, and `done` was called. False: the task has begun, or is
 * over. */
bool thread_pool_cancel(struct thread_pool_task *task);
/* A thread runs the task, or has run it. */
bool thread_pool_begun(const struct thread_pool_task *task);
/* Calls `done` of the tasks that have run since the last call. */
void thread_pool_settle(struct thread_pool *pool);
size_t thread_pool_pending(const struct thread_pool *pool); /* tasks without a call of `done` */
