/* SPDX-License-Identifier: Apache-2.0
 * pool_block.h - tasks that hold every thread of libuv's pool until they are released. */
#pragma once

struct pool_block;

struct pool_block *pool_block_new(void);
/* Releases the pool and waits for the tasks; block may be NULL. */
void pool_block_free(struct pool_block *block);
