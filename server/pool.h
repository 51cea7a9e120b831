/* SPDX-License-Identifier: Apache-2.0
 * pool.h - work that is too long for a loop's thread, on libuv's pool. One a loop; what is
 * done comes back to that loop's thread. Bounded: refusing is better than queueing. */
#ifndef SERVER_POOL_H
#define SERVER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct pool;

enum { POOL_MAX_QUEUED = 64 }; /* a loop */

/* First member of what is to be done; the caller's storage until `done`. */
struct pool_task {
    uv_work_t work;
    struct pool *pool;
    bool cancelled;                       /* when done is called: run never was */
    void (*run)(struct pool_task *task);  /* on a thread of the pool */
    void (*done)(struct pool_task *task); /* on the loop's thread, once, always */
};

struct pool *pool_new(uv_loop_t *uv); /* NULL: out of memory */
void pool_free(struct pool *pool);    /* nothing may be pending */
/* Starts libuv's threads, which it does with the first task of a process, and aborts if it
 * cannot: so at start, not when a client waits. They find nothing to do. */
bool pool_start(struct pool *pool);
/* false: the pool has enough to do; nothing will be called. */
bool pool_add(struct pool *pool, struct pool_task *task);
/* False: it has begun, or is over. True: it never will; `done` is still called. */
bool pool_cancel(struct pool_task *task);
size_t pool_pending(const struct pool *pool); /* tasks whose `done` was not called */

#endif
