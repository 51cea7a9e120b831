/* SPDX-License-Identifier: Apache-2.0
 * thread_pool.h - work that is too long for a loop's thread, on libuv's pool. One a loop; what
 * is done comes back to that loop's thread. Bounded: refusing is better than queueing. */
#ifndef SERVER_THREAD_POOL_H
#define SERVER_THREAD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct thread_pool;

/* Of a loop: tasks at once, and of them dear ones. Those have some of the threads, never the
 * last, and begin with the least dear: what is quick waits for none of them. */
enum { THREAD_POOL_MAX_QUEUED = 64, THREAD_POOL_MAX_DEAR = 32 };
#define THREAD_POOL_DEAR 20e6 /* operations (core/posenc.h) */

/* First member of what is to be done; the caller's storage until `done`. */
struct thread_pool_task {
    uv_work_t work;
    struct thread_pool *pool;
    struct thread_pool_task *next; /* dear ones that wait */
    double operations;             /* that it takes, roughly; the caller's to say */
    bool dear, waiting;
    atomic_bool begun;
    bool cancelled;                              /* when done is called: run never was */
    void (*run)(struct thread_pool_task *task);  /* on a thread of the pool */
    void (*done)(struct thread_pool_task *task); /* on the loop's thread, once, always */
};

/* dear_most: dear tasks that run at once, of this loop. NULL: out of memory. */
struct thread_pool *thread_pool_new(uv_loop_t *uv, size_t dear_most);
/* Threads of libuv's pool for `workers` threads of dear work and so many loops; and the
 * dear_most of each loop. */
size_t thread_pool_threads(size_t workers, size_t loops);
void thread_pool_set_size(size_t threads); /* before the first task of the process */
size_t thread_pool_dear_most(size_t workers, size_t loops);
void thread_pool_free(struct thread_pool *pool); /* nothing may be pending */
/* Starts libuv's threads, which it does with the first task of a process, and aborts if it
 * cannot: so at start, not when a client waits. They find nothing to do. */
bool thread_pool_start(struct thread_pool *pool);
/* false: the pool has enough to do; nothing will be called. */
bool thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task);
/* thread_pool_add would take a task that is not dear. */
bool thread_pool_has_place(const struct thread_pool *pool);
/* False: it has begun, or is over. True: it never will; `done` is called, perhaps already. */
bool thread_pool_cancel(struct thread_pool_task *task);
bool thread_pool_begun(const struct thread_pool_task *task); /* a thread has it, or had it */
size_t thread_pool_pending(
    const struct thread_pool *pool); /* tasks whose `done` was not called */

#endif
