/* SPDX-License-Identifier: Apache-2.0
 * pool_block.c - see pool_block.h. Each task has a peer of its own, so that it finds a place
 * whatever waits already. */
#include "tests/support/pool_block.h"

#include <check.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

#include "server/sys/task_lane.h"

struct held {
    struct task_lane_task task; /* first */
    struct pool_block *block;
};

struct pool_block {
    struct task_lane_home home; /* first */
    struct task_lane *lane;
    sem_t go, back;
    size_t count;
    struct held held[];
};

static void wait_for_go(struct task_lane_task *task)
{
    sem_wait(&((struct held *)(void *)task)->block->go);
}

static void come_back(struct task_lane_home *home)
{
    sem_post(&((struct pool_block *)(void *)home)->back);
}

/* Adds as many tasks, the first of which is the peer's. */
static struct pool_block *add_tasks(struct task_lane *lane, size_t count, uint64_t peer)
{
    struct pool_block *block = calloc(1, sizeof *block + count * sizeof *block->held);

    ck_assert_ptr_nonnull(block);
    block->home.wake = come_back;
    block->lane = lane;
    block->count = count;
    sem_init(&block->go, 0, 0);
    sem_init(&block->back, 0, 0);
    for (size_t i = 0; i < count; i++) {
        block->held[i] =
            (struct held){.task = {.home = &block->home, .peer = peer - i, .run = wait_for_go},
                          .block = block};
        ck_assert_int_eq(task_lane_add(lane, &block->held[i].task), TASK_LANE_ADDED);
    }
    return block;
}

struct pool_block *pool_block_new(struct task_lane *lane)
{
    struct pool_block *block = add_tasks(lane, task_lane_threads(lane), UINT64_MAX);

    for (size_t i = 0; i < block->count; i++)
        while (!atomic_load(&block->held[i].task.begun))
            sched_yield();
    return block;
}

struct pool_block *pool_block_queue(struct task_lane *lane, uint64_t peer)
{
    return add_tasks(lane, 1, peer);
}

void pool_block_release(struct pool_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        sem_post(&block->go);
    block->count = 0; /* none is waited for */
}

void pool_block_free(struct pool_block *block)
{
    if (!block)
        return;
    for (size_t i = 0; i < block->count; i++)
        sem_post(&block->go);
    for (size_t back = 0; back < block->count;) {
        sem_wait(&block->back);
        for (const struct task_lane_task *task = task_lane_take(block->lane, &block->home);
             task; task = task->next)
            back++;
    }
    sem_destroy(&block->go);
    sem_destroy(&block->back);
    free(block);
}
