/* SPDX-License-Identifier: Apache-2.0
 * cache_file.c - the files that the bodies of entries may have (body_file.h). */
#include <sys/resource.h>

#include "server/cache/cache.h"
#include "server/cache/cache_state.h"

void cache_allow_files(struct cache *cache, uint64_t count)
{
    struct rlimit size;
    struct body_file *tried;

    if (getrlimit(RLIMIT_FSIZE, &size) != 0 || size.rlim_cur != RLIM_INFINITY)
        return;
    atomic_init(&cache->files.left, count);
    tried = body_file_new(&cache->files, "", 1);
    body_file_free(tried);
    if (!tried) /* the system, or a filter of system calls, allows no such files */
        atomic_store_explicit(&cache->files.left, 0, memory_order_relaxed);
}

struct body_file_budget *cache_files(struct cache *cache)
{
    return &cache->files;
}

uint64_t cache_file_bytes(const struct cache *cache)
{
    return atomic_load_explicit(&cache->files.bytes, memory_order_relaxed);
}
