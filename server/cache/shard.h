/* SPDX-License-Identifier: Apache-2.0
 * shard.h - one lock's part of the cache: a chained hash table of counted entries within a
 * byte budget. cache.c's own. Everything but shard_entry_drop wants the lock held. */
#ifndef SERVER_SHARD_H
#define SERVER_SHARD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "server/cache/cache.h"
#include "server/cache/s3fifo.h"

enum entry_state { ENTRY_MAKING, ENTRY_READY, ENTRY_FAILED };

struct cache_entry {
    struct s3fifo_node node; /* first: a node is its entry */
    struct cache_entry *chain;
    struct shard *shard;
    struct cache_answer answer;
    struct cache_waiter *waiters;
    atomic_uint refs; /* one is the table's own while listed */
    _Atomic int state;
    atomic_bool evicted;  /* no longer found by its key */
    bool listed, charged; /* in the table; its bytes count as the shard's */
    atomic_bool lent;     /* they count as lent: it is not kept, and still held by readers */
    bool left;            /* its maker makes it for those who wait alone */
    struct pe_stop stop;  /* and there are none */
    int problem;
    size_t key_len;
    char key[];
};

struct shard {
    pthread_mutex_t lock;
    struct cache_entry **buckets;
    size_t bucket_mask;
    struct s3fifo eviction;
    uint64_t max_bytes;
    _Atomic uint64_t bytes; /* of charged entries: never more than max_bytes */
    _Atomic uint64_t *lent; /* of those that are not kept, of all shards */
    uint64_t entries, evictions;
};

/* lent outlives it. false: out of memory. */
bool shard_init(struct shard *shard, uint64_t max_bytes, _Atomic uint64_t *lent);
void shard_fini(struct shard *shard); /* no entry may be held */

/* The listed entry with this key, or NULL. Borrowed. */
struct cache_entry *shard_find(const struct shard *shard, uint64_t hash, const char *key,
                               size_t key_len);
/* A new one being made, with one reference, not listed; NULL: out of memory. */
struct cache_entry *shard_entry_new(struct shard *shard, uint64_t hash, const char *key,
                                    size_t key_len);
/* The table takes a reference of its own. */
void shard_list(struct shard *shard, struct cache_entry *entry);
/* Marks it evicted; the table's reference passes to the caller. */
void shard_unlist(struct shard *shard, struct cache_entry *entry);
/* Counts an entry's bytes as lent until its last reader drops it. */
void shard_lend(struct shard *shard, struct cache_entry *entry);
/* Charges a listed entry's bytes and makes room for them: those who leave come back linked by
 * .chain, each with the reference that was the table's. */
struct cache_entry *shard_keep(struct shard *shard, struct cache_entry *entry, size_t bytes);

/* Makes those leave, likewise, who are more than so many bytes. */
struct cache_entry *shard_shrink(struct shard *shard, uint64_t bytes);

/* Without the lock: drops one reference, or that of every entry of a chain. */
void shard_entry_drop(struct cache_entry *entry);
void shard_chain_drop(struct cache_entry *chain);

#endif
