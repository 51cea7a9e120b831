/* SPDX-License-Identifier: Apache-2.0
 * heap_trim.c - see heap_trim.h. */
#include "server/net/heap_trim.h"

#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/files/table_files.h"
#include "server/net/inflight.h"
#include "server/shared.h"
#include "server/sys/heap.h"
#include "server/sys/resources.h"

/* Returns the resident bytes that no cache and no request holds: the program, and what is
 * free. */
static uint64_t unheld_bytes(struct service *service)
{
    const uint64_t resident = resources_resident();
    const uint64_t held = cache_stats(service->cache).bytes - cache_file_bytes(service->cache) +
                          inflight_used(service) +
                          table_cache_stats(service->table_cache).bytes +
                          table_files_stats(service->tables).bytes;

    return resident > held ? resident - held : 0;
}

static void run(struct thread_pool_task *task)
{
    struct heap_trim *trim = (struct heap_trim *)(void *)task;
    const uint64_t unheld = unheld_bytes(trim->service);

    if (unheld < trim->left + HEAP_TRIM_WORTH) {
        trim->left = unheld < trim->left ? unheld : trim->left;
        return;
    }
    heap_give_back();
    trim->left = unheld_bytes(trim->service);
}

static void done(struct thread_pool_task *task)
{
    ((struct heap_trim *)(void *)task)->queued = false;
}

void heap_trim_tick(struct heap_trim *trim, struct service *service, struct thread_pool *pool,
                    uint64_t now_ms)
{
    if (trim->queued || now_ms < trim->due_ms)
        return;
    trim->due_ms = now_ms + HEAP_TRIM_MS;
    trim->service = service;
    trim->task.run = run;
    trim->task.done = done;
    trim->queued = thread_pool_add(pool, &trim->task); /* a full pool is asked again */
}
