/* SPDX-License-Identifier: Apache-2.0
 * thread_pool.c - see thread_pool.h. Counts the tasks of a loop in both lanes, and brings them
 * home to it. */
#include "server/sys/thread_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <uv.h>

enum { LOWER_PRIORITY = 10 }; /* of expensive tasks: a tenth of the CPU beside others */
enum { QUICK, EXPENSIVE, LANES };

struct home {
    struct task_lane_home home; /* first: a home is cast to this */
    struct thread_pool *pool;
};

struct thread_pool {
    struct task_lane *lanes[LANES];
    struct home homes[LANES];
    struct thread_pool_wake wake;
    atomic_bool woken; /* thread_pool_settle will be called */
    size_t pending;    /* tasks whose `done` was not called */
};

/* ---- lanes ----------------------------------------------------------------------------- */

size_t thread_pool_threads(size_t workers, size_t loops)
{
    return (workers > loops ? workers : loops) + 1;
}

size_t thread_pool_expensive_threads(size_t workers, size_t loops)
{
    return thread_pool_threads(workers, loops) / 2;
}

bool thread_pool_open_lanes(struct thread_pool_lanes *lanes, size_t workers, size_t loops)
{
    const size_t expensive = thread_pool_expensive_threads(workers, loops),
                 quick = thread_pool_threads(workers, loops) - expensive,
                 counted = loops < THREAD_POOL_LOOPS ? loops : THREAD_POOL_LOOPS;

    lanes->quick =
        task_lane_new(&(struct task_lane_size){.threads = quick,
                                               .most = THREAD_POOL_MOST * counted,
                                               .peer_most = THREAD_POOL_PEER_MOST * counted});
    lanes->expensive =
        task_lane_new(&(struct task_lane_size){.threads = expensive,
                                               .most = THREAD_POOL_EXPENSIVE_MOST,
                                               .peer_most = THREAD_POOL_EXPENSIVE_PEER_MOST,
                                               .lower_priority = LOWER_PRIORITY});
    return lanes->quick && lanes->expensive;
}

void thread_pool_close_lanes(struct thread_pool_lanes *lanes)
{
    task_lane_free(lanes->quick);
    task_lane_free(lanes->expensive);
}

/* ---- life ------------------------------------------------------------------------------ */

/* Both lanes may call this at once. */
static void wake(struct task_lane_home *home)
{
    struct thread_pool *pool = ((struct home *)(void *)home)->pool;

    if (!atomic_exchange(&pool->woken, true))
        pool->wake.wake(pool->wake.context);
}

struct thread_pool *thread_pool_new(const struct thread_pool_lanes *lanes,
                                    struct thread_pool_wake by)
{
    struct thread_pool *pool = calloc(1, sizeof *pool);

    if (!pool)
        return NULL;
    for (int i = 0; i < LANES; i++)
        pool->homes[i] = (struct home){.home = {.wake = wake}, .pool = pool};
    pool->lanes[QUICK] = lanes->quick;
    pool->lanes[EXPENSIVE] = lanes->expensive;
    pool->wake = by;
    return pool;
}

void thread_pool_free(struct thread_pool *pool)
{
    assert(!pool || pool->pending == 0);
    free(pool);
}

/* ---- tasks ----------------------------------------------------------------------------- */

static void on_turn(struct task_lane_task *in_lane)
{
    struct thread_pool_task *task = (struct thread_pool_task *)(void *)in_lane;

    task->waited_ns = uv_hrtime() - task->added_ns;
    task->run(task);
}

static void settle(struct thread_pool_task *task, bool cancelled)
{
    task->cancelled = cancelled;
    task->pool->pending--;
    task->done(task);
}

void thread_pool_settle(struct thread_pool *pool)
{
    struct task_lane_task *ran, *next;

    atomic_store(&pool->woken, false); /* first: what comes home from here on wakes again */
    for (int i = 0; i < LANES; i++)
        for (ran = task_lane_take(pool->lanes[i], &pool->homes[i].home); ran; ran = next) {
            next = ran->next;
            settle((struct thread_pool_task *)(void *)ran, false);
        }
}

static enum thread_pool_result result_of(enum task_lane_result result, bool expensive)
{
    switch (result) {
    case TASK_LANE_PEER_FULL:
        return expensive ? THREAD_POOL_EXPENSIVE_PEER_FULL : THREAD_POOL_PEER_FULL;
    case TASK_LANE_FULL:
        return expensive ? THREAD_POOL_EXPENSIVE_FULL : THREAD_POOL_FULL;
    default:
        return THREAD_POOL_ADDED;
    }
}

bool thread_pool_add(struct thread_pool *pool, struct thread_pool_task *task)
{
    const int lane = task->operations > THREAD_POOL_EXPENSIVE ? EXPENSIVE : QUICK;

    task->expensive = lane == EXPENSIVE;
    task->pool = pool;
    task->in_lane.home = &pool->homes[lane].home;
    task->in_lane.peer = task->peer;
    task->in_lane.makes = task->makes;
    /* Quick tasks of a peer begin in the order in which they came. */
    task->in_lane.operations = task->expensive ? task->operations : 0;
    task->in_lane.run = on_turn;
    task->added_ns = uv_hrtime();
    task->result = result_of(task_lane_add(pool->lanes[lane], &task->in_lane), task->expensive);
    if (task->result != THREAD_POOL_ADDED)
        return false;
    pool->pending++; /* the task is settled on this thread, so not yet */
    return true;
}

const char *thread_pool_refusal(enum thread_pool_result result)
{
    switch (result) {
    case THREAD_POOL_PEER_FULL:
        return "too many computations of this client wait for a thread; send fewer at a time, "
               "and try again";
    case THREAD_POOL_EXPENSIVE_PEER_FULL:
        return "too many long computations of this client wait for a thread; send fewer at a "
               "time, and try again";
    case THREAD_POOL_EXPENSIVE_FULL:
        return "too many long computations of all clients wait for a thread; try again";
    default:
        return "too much is being computed; try again";
    }
}

bool thread_pool_has_place(const struct thread_pool *pool, uint64_t peer)
{
    return task_lane_try(pool->lanes[QUICK], peer) == TASK_LANE_ADDED;
}

void thread_pool_hasten(struct thread_pool *pool, const void *makes, uint64_t peer)
{
    if (!task_lane_hasten(pool->lanes[QUICK], makes, peer))
        (void)task_lane_hasten(pool->lanes[EXPENSIVE], makes, peer);
}

bool thread_pool_cancel(struct thread_pool_task *task)
{
    if (!task_lane_remove(task->pool->lanes[task->expensive ? EXPENSIVE : QUICK],
                          &task->in_lane))
        return false;
    settle(task, true);
    return true;
}

bool thread_pool_begun(const struct thread_pool_task *task)
{
    return atomic_load_explicit(&task->in_lane.begun, memory_order_relaxed);
}

size_t thread_pool_pending(const struct thread_pool *pool)
{
    return pool->pending;
}
