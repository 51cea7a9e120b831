/* SPDX-License-Identifier: Apache-2.0
 * cache.h - canonical key -> finished answer, shared by all loops. Sharded locks; entries
 * immutable once ready, counted; bounded by bytes; scan resistant; a miss is computed once
 * however many ask (the others wait). Keys are always compared whole. Thread-safe. */
#ifndef SERVER_CACHE_H
#define SERVER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cache;
struct cache_entry;
struct pe_stop;

/* An answer: one block of bytes and the headers that go with it. */
struct cache_answer {
    char *bytes; /* malloc'd, taken by the cache */
    size_t len;
    char *headers; /* malloc'd "Name: value\n" lines, taken by the cache; may be NULL */
    bool cheap;    /* quickly made again: kept for long only if soon asked for again */
};

struct cache *cache_new(size_t max_bytes); /* NULL: out of memory; 0 bytes: never keeps */
void cache_free(struct cache *cache);      /* no entry may be held */
/* Only these bits of a key's hash count. For tests that want collisions; before any get. */
void cache_mask_hash(struct cache *cache, uint64_t mask);
/* While false (memory is short) nothing new is kept. */
void cache_admit(struct cache *cache, bool admit);

/* Drops what is worth least: of what every shard can still find, one part in `parts`. The bytes
 * of those who left; what is still held of them is lent, and freed later. */
uint64_t cache_shrink(struct cache *cache, uint64_t parts);

enum cache_result { CACHE_READY, CACHE_MAKE, CACHE_WAIT, CACHE_NO_MEMORY };

/* Someone who waits for an entry; the caller's storage until woken or cancelled. */
struct cache_waiter {
    struct cache_waiter *next;
    void (*wake)(struct cache_waiter *waiter); /* any thread, no cache lock held */
    bool queued;
};

/* The finished answer of a key, counted, or NULL. Counts as being asked for. */
struct cache_entry *cache_find(struct cache *cache, const char *key, size_t key_len);

/* READY: *entry is counted, its answer readable. MAKE: the caller must cache_finish or
 * cache_fail it. WAIT: another makes it; waiter->wake is called once, then look up again
 * via cache_entry_answer. waiter may be NULL: then an unfinished entry counts as MAKE of a
 * private entry that is never kept. Every non-error result hands over a reference. */
enum cache_result cache_get(struct cache *cache, struct cache_entry **entry, const char *key,
                            size_t key_len, struct cache_waiter *waiter);
/* The answer is ready: wakes the waiters. Kept if the policy admits it. */
void cache_finish(struct cache *cache, struct cache_entry *entry, struct cache_answer *answer);
/* It failed: waiters are woken and see NULL; the entry is forgotten. problem may be 0. */
void cache_fail(struct cache *cache, struct cache_entry *entry, int problem);
/* Who asked for an entry that is being made has left: true if nobody waits for it. Then, or
 * when the last who waits cancels, its stop is set, and the next asker makes another. The maker
 * fails or finishes it all the same. */
bool cache_leave(struct cache *cache, struct cache_entry *entry);
const struct pe_stop *cache_entry_stop(const struct cache_entry *entry);
/* Stop waiting; true if wake had not been and will not be called. */
bool cache_cancel(struct cache *cache, struct cache_entry *entry, struct cache_waiter *waiter);

const struct cache_answer *cache_entry_answer(
    const struct cache_entry *entry);                   /* NULL: failed */
bool cache_entry_done(const struct cache_entry *entry); /* finished or failed */
int cache_entry_problem(const struct cache_entry *entry);
bool cache_entry_evicted(const struct cache_entry *entry); /* marked: drop what refers to it */
void cache_entry_touch(struct cache_entry *entry); /* it was asked for, past the cache */
struct cache_entry *cache_entry_ref(struct cache_entry *entry);
void cache_entry_unref(struct cache *cache, struct cache_entry *entry);
/* The same, as libmicrohttpd's free callback: `entry` is a struct cache_entry. */
void cache_entry_drop(void *entry);

/* bytes: keys, answers, headers and overhead of all kept entries, never more than max_bytes;
 * lent: of those that left, or were never kept, and are still held. */
struct cache_stats {
    uint64_t bytes, lent, entries, evictions;
};
struct cache_stats cache_stats(struct cache *cache);
/* The same lent, without a lock. */
uint64_t cache_lent(const struct cache *cache);
/* The part of one reader in the bytes that a lent entry holds; 0: it is kept. */
size_t cache_entry_lent(const struct cache_entry *entry);

#endif
