/* SPDX-License-Identifier: Apache-2.0
 * shard.h - one shard of the cache: a chained hash table of reference-counted entries within a
 * byte budget. Used in this folder only. Everything but init, fini and drop needs the lock
 * held. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "server/cache/cache_answer.h"
#include "server/cache/s3fifo.h"

struct cache_waiter;

enum entry_state { ENTRY_MAKING, ENTRY_READY, ENTRY_FAILED };

struct cache_entry {
    struct s3fifo_node node; /* first, so that a pointer to a node is one to its entry */
    struct cache_entry *chain;
    struct shard *shard;
    struct cache_answer answer;
    struct cache_waiter *waiters;
    atomic_uint refs; /* one reference is the table's while listed */
    _Atomic int state;
    atomic_bool evicted;       /* no longer found by its key */
    bool listed;               /* in the table */
    _Atomic uint64_t *charged; /* the sum that its bytes are part of; NULL: none */
    atomic_bool lent; /* its bytes count as lent: it is not kept, and still held by readers */
    bool abandoned;   /* the maker's client has gone: it is made for waiters only */
    struct pe_stop stop; /* set when it is abandoned and has no waiters */
    int problem;
    size_t key_len;
    char key[];
};

struct shard {
    pthread_mutex_t lock;
    struct cache_entry **buckets;
    size_t bucket_mask;
    struct s3fifo fifo;
    uint64_t max_bytes;
    _Atomic uint64_t bytes; /* bytes of charged entries: never more than max_bytes */
    _Atomic uint64_t *lent; /* bytes of lent entries of all shards */
    uint64_t entries, evictions;
};

/* `lent` outlives the shard. False: out of memory. */
bool shard_init(struct shard *shard, uint64_t max_bytes, _Atomic uint64_t *lent);
void shard_fini(struct shard *shard); /* no entry may be held */

/* Returns the listed entry with this key, without a reference, or NULL. */
struct cache_entry *shard_find(const struct shard *shard, uint64_t hash, const char *key,
                               size_t key_len);
/* Returns a new unfinished entry, with one reference, not listed. NULL: out of memory. */
struct cache_entry *shard_entry_new(struct shard *shard, uint64_t hash, const char *key,
                                    size_t key_len);
/* Adds an entry to the table, which takes a reference of its own. */
void shard_list(struct shard *shard, struct cache_entry *entry);
/* Marks an entry evicted and takes it out of the table, whose reference is now the caller's. */
void shard_unlist(struct shard *shard, struct cache_entry *entry);
/* Counts an entry's bytes as lent until its last reader drops it. */
void shard_lend(struct shard *shard, struct cache_entry *entry);
/* Charges a listed entry's bytes and evicts entries beyond the budget. Returns the evicted ones
 * linked by .chain, each with the table's reference. */
struct cache_entry *shard_keep(struct shard *shard, struct cache_entry *entry, size_t bytes);

/* Changes the shard's budget; evicts entries beyond it and links them to `evicted`. */
struct cache_entry *shard_resize(struct shard *shard, uint64_t max_bytes,
                                 struct cache_entry *evicted);
/* Evicts the entry of a node that is in no queue any more, and links it to `evicted`. */
struct cache_entry *shard_evict(struct shard *shard, struct s3fifo_node *node,
                                struct cache_entry *evicted);
/* Evicts entries until the shard holds at most `bytes`; returns them as shard_keep does. */
struct cache_entry *shard_shrink(struct shard *shard, uint64_t bytes);

/* Drops one reference, or that of every entry of a chain, without the lock. */
void shard_entry_drop(struct cache_entry *entry);
void shard_chain_drop(struct cache_entry *chain);
