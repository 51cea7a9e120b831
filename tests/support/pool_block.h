/* SPDX-License-Identifier: Apache-2.0
 * pool_block.h - tasks that hold every thread of a lane until they are released. */
#pragma once

#include <stdint.h>

struct pool_block;
struct task_lane;

/* Returns when all threads are held. */
struct pool_block *pool_block_new(struct task_lane *lane);
/* Returns at once, with a task of the peer that waits, and then holds the thread that it is
 * given. */
struct pool_block *pool_block_queue(struct task_lane *lane, uint64_t peer);
/* Releases the threads of a lane that another thread ends meanwhile; free the block when it has
 * ended. */
void pool_block_release(struct pool_block *block);
/* Releases the threads and waits for the tasks; block may be NULL. */
void pool_block_free(struct pool_block *block);
