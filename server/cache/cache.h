/* SPDX-License-Identifier: Apache-2.0
 * cache.h - maps canonical keys to finished answers, for all loops. Sharded locks; entries are
 * reference-counted and immutable once ready; bounded by bytes; scan resistant. Concurrent
 * requests for a missing answer are coalesced (single-flight): one computes it, the others
 * wait. Keys are always compared completely. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/cache/cache_answer.h"

struct cache;
struct cache_entry;
struct body_file_budget;
struct pe_stop;

/* Answers up to this many bytes are short: they are kept at their first request. */
enum { CACHE_SHORT_MAX = 1 << 20 };

struct cache *cache_new(size_t max_bytes); /* NULL: out of memory; 0 bytes: never keeps */
void cache_free(struct cache *cache);      /* no entry may be held */
/* Uses only these bits of a key's hash. For tests that want collisions; before any key. */
void cache_mask_hash(struct cache *cache, uint64_t mask);
/* While `admit` is false (memory is short) no new entry is kept. */
void cache_admit(struct cache *cache, bool admit);

/* Evicts the entries that are worth least, one part in `parts` of the bytes of each shard.
 * Returns the evicted bytes; entries that are still held count as lent and are freed later. */
uint64_t cache_shrink(struct cache *cache, uint64_t parts);

enum cache_result { CACHE_READY, CACHE_MAKE, CACHE_WAIT, CACHE_NO_MEMORY };

/* A request that waits for an entry; the caller owns it until it is woken or cancelled. */
struct cache_waiter {
    struct cache_waiter *next;
    void (*wake)(struct cache_waiter *waiter); /* any thread, no cache lock held */
    bool queued;
};

/* A key and its hash, which is computed once for all calls about the key. Borrows the bytes. */
struct cache_key {
    const char *bytes;
    size_t len;
    uint64_t hash;
};
struct cache_key cache_key(const struct cache *cache, const char *bytes, size_t len);

/* Returns the finished entry of a key with a reference, or NULL. Counts as a request for it. */
struct cache_entry *cache_find(struct cache *cache, struct cache_key key);

/* Counts a request for a long answer of `len` bytes. True: it is there, or made by another
 * request, or was asked for before, not long ago, and would be kept: so it is worth being made
 * as a whole. Long answers have a quarter of the cache's bytes at most, and take it from the
 * short ones. */
bool cache_wants_long(struct cache *cache, struct cache_key key, uint64_t len);

/* READY: the answer of *entry is readable. MAKE: the caller must cache_finish or cache_fail it.
 * WAIT: another request makes it; waiter->wake is called once, then look again via
 * cache_entry_answer. `waiter` may be NULL: an unfinished entry then leads to MAKE of a private
 * entry that is never kept. Every result but NO_MEMORY hands over a reference. */
enum cache_result cache_get(struct cache *cache, struct cache_entry **entry,
                            struct cache_key key, struct cache_waiter *waiter);
/* Sets the answer and wakes the waiters. The entry is kept if the policy admits it. */
void cache_finish(struct cache *cache, struct cache_entry *entry, struct cache_answer *answer);
/* How many descriptors files and their shares may have at once (body_file.h); 0 until it is
 * called, and where the system allows no such files, or RLIMIT_FSIZE their size. Before any
 * get. */
void cache_allow_files(struct cache *cache, uint64_t count);
/* The files that answers given to cache_finish may have. */
struct body_file_budget *cache_files(struct cache *cache);
/* Returns the memory of all files, which is shared memory, not the process's own. */
uint64_t cache_file_bytes(const struct cache *cache);
/* Computing failed: wakes the waiters and removes the entry. `problem` may be 0. */
void cache_fail(struct cache_entry *entry, int problem);
/* The client whose request makes the entry has gone. Returns true if no other request waits for
 * the entry. Then, or when the last waiter cancels, the entry's stop is set, and the next
 * request makes another entry. The maker fails or finishes the stopped entry all the same. */
bool cache_abandon(struct cache_entry *entry);
const struct pe_stop *cache_entry_stop(const struct cache_entry *entry);
/* Stops waiting. Returns true if wake has not been and will not be called. */
bool cache_cancel(struct cache_entry *entry, struct cache_waiter *waiter);

const struct cache_answer *cache_entry_answer(
    const struct cache_entry *entry);                   /* NULL: failed */
bool cache_entry_done(const struct cache_entry *entry); /* finished or failed */
int cache_entry_problem(const struct cache_entry *entry);
bool cache_entry_evicted(const struct cache_entry *entry); /* its holders should drop it */
void cache_entry_touch(struct cache_entry *entry);         /* counts a request past the cache */
struct cache_entry *cache_entry_ref(struct cache_entry *entry);
void cache_entry_unref(struct cache_entry *entry);
/* cache_entry_unref as libmicrohttpd's free callback: `entry` is a struct cache_entry. */
void cache_entry_drop(void *entry);

/* bytes: keys, answers, headers and overhead of all kept entries, never more than max_bytes;
 * lent: bytes of entries that were evicted, or never kept, and are still held. */
struct cache_stats {
    uint64_t bytes, lent, entries, evictions;
};
struct cache_stats cache_stats(struct cache *cache);
/* Returns the lent bytes without taking a lock. */
uint64_t cache_lent(const struct cache *cache);
/* Returns one reader's share of the bytes of a lent entry, or 0 for an entry that is kept. */
size_t cache_entry_lent(const struct cache_entry *entry);
