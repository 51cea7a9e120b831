/* SPDX-License-Identifier: Apache-2.0
 * thread_pool.c - see thread_pool.h. Counts the tasks of a loop in libuv's pool, and holds
 * expensive tasks back. */
#include "server/sys/thread_pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct thread_pool {
    uv_loop_t *uv;
    size_t pending;   /* tasks whose `done` was not called */
    size_t expensive; /* of them, expensive tasks */
    size_t expensive_running, expensive_max;
    struct thread_pool_task *waiting; /* expensive tasks without a thread, the cheapest first */
    struct thread_pool_task first;
};

struct thread_pool *thread_pool_new(uv_loop_t *uv, size_t expensive_max)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->uv = uv;
    pool->expensive_max = expensive_max;
    return pool;
}

size_t thread_pool_expensive_max(size_t workers, size_t loops)
{
    return workers > loops ? workers / loops : 1;
}

size_t thread_pool_threads(size_t workers, size_t loops)
{
    return (workers > loops ? workers : loops) + 1;
}

void thread_pool_set_size(size_t threads)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", threads);
    setenv("UV_THREADPOOL_SIZE", text, 1); /* libuv has no other way to set it */
}

void thread_pool_free(struct thread_pool *pool)
{
    assert(!pool || pool->pending == 0);
    free(pool);
}

static void on_work(uv_work_t *work)
{
    struct thread_pool_task *task = work->data;

    atomic_store_explicit(&task->begun, true, memory_order_relaxed);
    task->run(task);
}

static void on_done(uv_work_t *work, int status);

static void submit(struct thread_pool_task *task)
{
    struct thread_pool *pool = task->pool;
    int result = uv_queue_work(pool->uv, &task->work, on_work, on_done);

    assert(result == 0); /* fails only without a callback */
    pool->expensive_running += task->expensive;
}

static void submit_waiting(struct thread_pool *pool)
{
    struct thread_pool_task *task = pool->waiting;

    if (!task || pool->expensive_running >= pool->expensive_max)
        return;
    pool->waiting = task->next;
    task->waiting = false;
    submit(task);
}

static void settle(struct thread_pool_task *task, bool cancelled)
{
    task->cancelled = cancelled;
    task->pool->pending--;
    task->pool->expensive -= task->expensive;
    task->done(task);
}

static void on_done(uv_work_t *work, int status)
{
    struct thread_pool_task *task = work->data;

    task->pool->expensive_running -= task->expensive;
    submit_waiting(task->pool);
    settle(task, status == UV_ECANCELED);
}

/* Inserts the task behind tasks of the same cost. */
static void wait_for_thread(struct thread_pool *pool, struct thread_pool_task *task)
{
    struct thread_pool_task **at = &pool->waiting;

    while (*at && (*at)->operations <= task->operations)
        at = &(*at)->next;
    task->next = *at;
    *at = task;
    task->waiting = true;
}

bool thread_pool_has_place(const struct thread_pool *pool)
{
    return pool->pending < THREAD_POOL_MAX_QUEUED;
}

bool thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task)
{
    task->expensive = task->operations > THREAD_POOL_EXPENSIVE;
    if (!thread_pool_has_place(pool) ||
        (task->expensive && pool->expensive >= THREAD_POOL_MAX_EXPENSIVE))
        return false;
    task->pool = pool;
    task->work.data = task;
    task->waiting = false;
    atomic_init(&task->begun, false);
    pool->pending++;
    pool->expensive += task->expensive;
    if (task->expensive && pool->expensive_running >= pool->expensive_max)
        wait_for_thread(pool, task);
    else
        submit(task);
    return true;
}

bool thread_pool_cancel(struct thread_pool_task *task)
{
    struct thread_pool_task **at = &task->pool->waiting;

    if (!task->waiting)
        return uv_cancel((uv_req_t *)&task->work) == 0;
    while (*at != task)
        at = &(*at)->next;
    *at = task->next;
    settle(task, true);
    return true;
}

bool thread_pool_begun(const struct thread_pool_task *task)
{
    return atomic_load_explicit(&task->begun, memory_order_relaxed);
}

static void do_nothing(struct thread_pool_task *task)
{
}

bool thread_pool_start(struct thread_pool *pool)
{
    pool->first = (struct thread_pool_task){.run = do_nothing, .done = do_nothing};
    return thread_pool_add(pool, &pool->first);
}

size_t thread_pool_pending(const struct thread_pool *pool)
{
    return pool->pending;
}
