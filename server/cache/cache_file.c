/* SPDX-License-Identifier: Apache-2.0
 * cache_file.c - moves the bodies of entries into files. An entry never changes, so a new one
 * takes its place in the table and in the order of eviction. */
#include <stdlib.h>
#include <string.h>
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

/* Returns the bytes of an entry whose body is in a file. */
static size_t bytes_with_file(const struct cache_entry *entry)
{
    return entry->node.bytes - entry->answer.len + body_file_memory(entry->answer.len);
}

static bool moves_to_file(const struct cache *cache, const struct cache_entry *entry)
{
    const struct cache_answer *answer = &entry->answer;

    return !answer->file && bytes_with_file(entry) <= cache->entry_max &&
           answer->len >= BODY_FILE_LEAST && answer->len <= BODY_FILE_MOST &&
           !cache_entry_evicted(entry) &&
           atomic_load_explicit(&cache->admit, memory_order_relaxed);
}

/* Copies the answer to an entry of the same key, its body into a file. False: out of memory or
 * files; the copy is then an answer that can be freed. */
static bool copy_answer(struct cache *cache, struct cache_answer *copy,
                        const struct cache_answer *answer)
{
    size_t headers = answer->headers ? strlen(answer->headers) + 1 : 0;

    copy->elements = answer->elements;
    memcpy(copy->hash, answer->hash, sizeof copy->hash);
    copy->cheap = answer->cheap;
    copy->headers = headers > 0 ? malloc(headers) : NULL;
    if (copy->headers)
        memcpy(copy->headers, answer->headers, headers);
    else if (headers > 0)
        return false;
    copy->file = body_file_new(&cache->files, answer->bytes, answer->len);
    if (!copy->file)
        return false;
    copy->bytes = (char *)(uintptr_t)copy->file->bytes;
    copy->len = answer->len;
    return true;
}

/* Returns a finished entry, not listed, with a copy of the answer. NULL: out of memory or
 * files. */
static struct cache_entry *copy_entry(struct cache *cache, const struct cache_entry *entry)
{
    struct cache_entry *copy =
        shard_entry_new(entry->shard, entry->node.hash, entry->key, entry->key_len);

    if (!copy)
        return NULL;
    if (!copy_answer(cache, &copy->answer, &entry->answer)) {
        shard_entry_drop(copy);
        return NULL;
    }
    atomic_store_explicit(&copy->state, ENTRY_READY, memory_order_release);
    return copy;
}

struct cache_entry *cache_move_to_file(struct cache *cache, struct cache_entry *entry)
{
    struct shard *shard = entry->shard;
    struct cache_entry *copy = moves_to_file(cache, entry) ? copy_entry(cache, entry) : NULL;
    struct cache_entry *evicted = NULL;
    bool moved = false;

    if (!copy)
        return NULL;
    pthread_mutex_lock(&shard->lock);
    if (entry->listed) {
        evicted = shard_replace(shard, entry, copy, bytes_with_file(entry));
        moved = true;
    }
    pthread_mutex_unlock(&shard->lock);
    shard_chain_drop(evicted);
    if (moved)
        return copy;
    shard_entry_drop(copy);
    return NULL;
}
