/* SPDX-License-Identifier: Apache-2.0
 * thread_pool.h - runs tasks that take too long for a loop's thread on libuv's pool. Each loop
 * has one; `done` of a task is called on that loop's thread. The number of tasks is bounded:
 * refusing is better than queueing. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct thread_pool;

/* Most tasks of a loop at once, and of them expensive tasks. Expensive tasks get some of the
 * threads, never the last one, and the least expensive starts first: a quick task never waits
 * for an expensive one. */
enum { THREAD_POOL_MAX_QUEUED = 64, THREAD_POOL_MAX_EXPENSIVE = 32 };
#define THREAD_POOL_EXPENSIVE 20e6 /* operations (core/posenc.h) */

/* The first member of the caller's structure, which must stay until `done`. */
struct thread_pool_task {
    uv_work_t work;
    struct thread_pool *pool;
    struct thread_pool_task *next; /* of the list of waiting tasks */
    double operations;             /* rough number of operations, set by the caller */
    bool expensive, waiting;
    atomic_bool begun;
    bool cancelled;                              /* in `done`: `run` was never called */
    void (*run)(struct thread_pool_task *task);  /* on a thread of the pool */
    void (*done)(struct thread_pool_task *task); /* on the loop's thread, once, always */
};

/* expensive_max: most expensive tasks of this loop that run at once. NULL: out of memory. */
struct thread_pool *thread_pool_new(uv_loop_t *uv, size_t expensive_max);
/* The threads of libuv's pool for `workers` threads of expensive tasks and so many loops, and
 * the expensive_max of each loop. */
size_t thread_pool_threads(size_t workers, size_t loops);
void thread_pool_set_size(size_t threads); /* before the first task of the process */
size_t thread_pool_expensive_max(size_t workers, size_t loops);
void thread_pool_free(struct thread_pool *pool); /* nothing may be pending */
/* Starts libuv's threads by a task that does nothing. libuv starts them with the first task of
 * a process, and aborts if it cannot: that must happen at start, not when a client waits. */
bool thread_pool_start(struct thread_pool *pool);
/* False: the pool is full; neither `run` nor `done` will be called. */
bool thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task);
/* thread_pool_add would take a task that is not expensive. */
bool thread_pool_has_place(const struct thread_pool *pool);
/* True: `run` will never be called, and `done` is called, perhaps already. False: the task has
 * begun, or is over. */
bool thread_pool_cancel(struct thread_pool_task *task);
bool thread_pool_begun(
    const struct thread_pool_task *task); /* a thread runs it, or has run it */
size_t thread_pool_pending(
    const struct thread_pool *pool); /* tasks whose `done` was not called */
