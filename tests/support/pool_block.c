/* SPDX-License-Identifier: Apache-2.0
 * pool_block.c - see pool_block.h. */
#include "tests/support/pool_block.h"

#include <check.h>
#include <semaphore.h>
#include <stdlib.h>
#include <uv.h>

enum { TASKS = 128 }; /* as many threads as libuv takes in a test */

struct pool_block {
    uv_loop_t uv;
    sem_t go;
    uv_work_t works[TASKS];
};

static void wait_for_go(uv_work_t *work)
{
    sem_wait(work->data);
}

static void ignore(uv_work_t *work, int status)
{
}

struct pool_block *pool_block_new(void)
{
    struct pool_block *block = calloc(1, sizeof *block);

    ck_assert_ptr_nonnull(block);
    ck_assert_int_eq(uv_loop_init(&block->uv), 0);
    sem_init(&block->go, 0, 0);
    for (int i = 0; i < TASKS; i++) {
        block->works[i].data = &block->go;
        ck_assert_int_eq(uv_queue_work(&block->uv, &block->works[i], wait_for_go, ignore), 0);
    }
    return block;
}

void pool_block_free(struct pool_block *block)
{
    if (!block)
        return;
    for (int i = 0; i < TASKS; i++)
        sem_post(&block->go);
    uv_run(&block->uv, UV_RUN_DEFAULT);
    ck_assert_int_eq(uv_loop_close(&block->uv), 0);
    sem_destroy(&block->go);
    free(block);
}
