/* SPDX-License-Identifier: Apache-2.0
 * heap_trim.h - gives memory that was freed back to the system. malloc keeps what is free below
 * a block that is in use, and answers are freed in any order: after a flood of requests the
 * heap would stay as large as it was. Every second the pool compares resident memory with
 * what caches and requests hold, and trims the heap where that is worth it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/sys/thread_pool.h"

struct service;

/* Memory that was freed is with the system again after at most two of these. */
enum { HEAP_TRIM_MS = 1000 };
/* The heap is trimmed when so many bytes are free beyond those that the last trim left. */
enum { HEAP_TRIM_WORTH = 2 << 20 };

struct heap_trim { /* zeroed at first; does not move */
    struct thread_pool_task task;
    struct service *service;
    bool queued;
    uint64_t due_ms;
    uint64_t left; /* resident bytes that nothing is known to hold, after the last trim */
};

/* Called often, on one loop's thread: has the pool look, if it is time. */
void heap_trim_tick(struct heap_trim *trim, struct service *service, struct thread_pool *pool,
                    uint64_t now_ms);
