/* SPDX-License-Identifier: Apache-2.0
 * pool.c - counts what a loop has in libuv's pool, and holds dear tasks back; see pool.h. */
#include "server/sys/pool.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

struct pool {
    uv_loop_t *uv;
    size_t pending; /* tasks whose `done` was not called; of them dear ones, and */
    size_t dear, dear_running, dear_most;
    struct pool_task *waiting; /* dear ones that no thread is free for: the least dear first */
    struct pool_task first;
};

struct pool *pool_new(uv_loop_t *uv, size_t dear_most)
{
    struct pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    pool->uv = uv;
    pool->dear_most = dear_most;
    return pool;
}

size_t pool_dear_most(size_t workers, size_t loops)
{
    return workers > loops ? workers / loops : 1;
}

size_t pool_threads(size_t workers, size_t loops)
{
    return (workers > loops ? workers : loops) + 1;
}

void pool_set_size(size_t threads)
{
    char text[24];

    snprintf(text, sizeof text, "%zu", threads);
    setenv("UV_THREADPOOL_SIZE", text, 1); /* libuv's only way to say it */
}

void pool_free(struct pool *pool)
{
    assert(!pool || pool->pending == 0);
    free(pool);
}

static void on_work(uv_work_t *work)
{
    struct pool_task *task = work->data;

    atomic_store_explicit(&task->begun, true, memory_order_relaxed);
    task->run(task);
}

static void on_done(uv_work_t *work, int status);

static void submit(struct pool_task *task)
{
    struct pool *pool = task->pool;
    int result = uv_queue_work(pool->uv, &task->work, on_work, on_done);

    assert(result == 0); /* it has a callback */
    pool->dear_running += task->dear;
}

static void submit_waiting(struct pool *pool)
{
    struct pool_task *task = pool->waiting;

    if (!task || pool->dear_running >= pool->dear_most)
        return;
    pool->waiting = task->next;
    task->waiting = false;
    submit(task);
}

static void settle(struct pool_task *task, bool cancelled)
{
    task->cancelled = cancelled;
    task->pool->pending--;
    task->pool->dear -= task->dear;
    task->done(task);
}

static void on_done(uv_work_t *work, int status)
{
    struct pool_task *task = work->data;

    task->pool->dear_running -= task->dear;
    submit_waiting(task->pool);
    settle(task, status == UV_ECANCELED);
}

/* Behind those that are as dear. */
static void wait_for_thread(struct pool *pool, struct pool_task *task)
{
    struct pool_task **at = &pool->waiting;

    while (*at && (*at)->operations <= task->operations)
        at = &(*at)->next;
    task->next = *at;
    *at = task;
    task->waiting = true;
}

bool pool_has_place(const struct pool *pool)
{
    return pool->pending < POOL_MAX_QUEUED;
}

bool pool_add(struct pool *pool, struct pool_task *task)
{
    task->dear = task->operations > POOL_DEAR;
    if (!pool_has_place(pool) || (task->dear && pool->dear >= POOL_MAX_DEAR))
        return false;
    task->pool = pool;
    task->work.data = task;
    task->waiting = false;
    atomic_init(&task->begun, false);
    pool->pending++;
    pool->dear += task->dear;
    if (task->dear && pool->dear_running >= pool->dear_most)
        wait_for_thread(pool, task);
    else
        submit(task);
    return true;
}

bool pool_cancel(struct pool_task *task)
{
    struct pool_task **at = &task->pool->waiting;

    if (!task->waiting)
        return uv_cancel((uv_req_t *)&task->work) == 0;
    while (*at != task)
        at = &(*at)->next;
    *at = task->next;
    settle(task, true);
    return true;
}

bool pool_begun(const struct pool_task *task)
{
    return atomic_load_explicit(&task->begun, memory_order_relaxed);
}

static void do_nothing(struct pool_task *task)
{
}

bool pool_start(struct pool *pool)
{
    pool->first = (struct pool_task){.run = do_nothing, .done = do_nothing};
    return pool_add(pool, &pool->first);
}

size_t pool_pending(const struct pool *pool)
{
    return pool->pending;
}
