/* SPDX-License-Identifier: Apache-2.0
 * pool.c - counts what a loop has in libuv's pool; see pool.h. */
#include "server/pool.h"

#include <assert.h>
#include <stdlib.h>

struct pool {
    uv_loop_t *uv;
    size_t pending;
    struct pool_task first;
};

struct pool *pool_new(uv_loop_t *uv)
{
    struct pool *pool = calloc(1, sizeof *pool);

    if (pool)
        pool->uv = uv;
    return pool;
}

void pool_free(struct pool *pool)
{
    assert(!pool || pool->pending == 0);
    free(pool);
}

static void on_work(uv_work_t *work)
{
    struct pool_task *task = work->data;

    task->run(task);
}

static void on_done(uv_work_t *work, int status)
{
    struct pool_task *task = work->data;

    task->cancelled = status == UV_ECANCELED;
    task->pool->pending--;
    task->done(task);
}

bool pool_add(struct pool *pool, struct pool_task *task)
{
    if (pool->pending >= POOL_MAX_QUEUED)
        return false;
    task->pool = pool;
    task->work.data = task;
    if (uv_queue_work(pool->uv, &task->work, on_work, on_done) != 0)
        return false;
    pool->pending++;
    return true;
}

bool pool_cancel(struct pool_task *task)
{
    return uv_cancel((uv_req_t *)&task->work) == 0;
}

static void do_nothing(struct pool_task *task)
{
    (void)task;
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
