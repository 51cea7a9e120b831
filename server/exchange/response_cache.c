/* SPDX-License-Identifier: Apache-2.0
 * response_cache.c - see response_cache.h. The records are in a chained hash table and evicted
 * by the CLOCK algorithm. */
#include "server/exchange/response_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/sys/siphash.h"

enum { BUCKETS = 2 * RESPONSE_CACHE_MAX };

struct record {
    struct record *chain;
    uint64_t hash;
    struct response_cache_answer answer;
    unsigned generation;
    bool packed;  /* the key's */
    bool touched; /* found since the hand passed */
    size_t slot;  /* index in the clock */
    size_t target_len, key_len;
    char key[]; /* target, Accept if that matters, then etag and location with their NULs */
};

struct response_cache {
    struct cache *cache;
    struct record *buckets[BUCKETS];
    struct record *clock[RESPONSE_CACHE_MAX];
    size_t count, hand;
    struct siphash_key hash_key;
};

struct response_cache *response_cache_new(struct cache *cache)
{
    struct response_cache *hot = calloc(1, sizeof *hot);

    if (!hot)
        return NULL;
    hot->cache = cache;
    hot->hash_key = siphash_key_draw();
    return hot;
}

static void record_free(struct response_cache *hot, struct record *record)
{
    if (record->answer.ok)
        MHD_destroy_response(record->answer.ok);
    if (record->answer.unchanged)
        MHD_destroy_response(record->answer.unchanged);
    cache_entry_unref(hot->cache, record->answer.entry);
    free(record);
}

/* Takes the record out of its chain and off the clock, whose last record fills the gap. */
static void drop(struct response_cache *hot, struct record *record)
{
    struct record **at = &hot->buckets[record->hash % BUCKETS];
    struct record *last = hot->clock[--hot->count];

    while (*at != record)
        at = &(*at)->chain;
    *at = record->chain;
    hot->clock[record->slot] = last;
    last->slot = record->slot;
    hot->clock[hot->count] = NULL;
    record_free(hot, record);
}

void response_cache_free(struct response_cache *hot)
{
    if (!hot)
        return;
    while (hot->count > 0)
        drop(hot, hot->clock[0]);
    free(hot);
}

static bool stale(const struct record *record, unsigned generation)
{
    return record->generation != generation ||
           (record->answer.entry && cache_entry_evicted(record->answer.entry));
}

/* ---- finding ------------------------------------------------------------------------- */

/* Whether Accept matters follows from the target alone, which is not parsed here: so
 * response_cache_find looks for target and Accept first, then for the target alone. */
static struct record *look(const struct response_cache *hot, uint64_t hash,
                           const struct response_cache_key *key, size_t accept_len)
{
    size_t len = key->target_len + accept_len;
    struct record *record = hot->buckets[hash % BUCKETS];

    while (record && (record->hash != hash || record->key_len != len ||
                      record->target_len != key->target_len ||
                      (record->answer.terms.by_coding && record->packed != key->packed) ||
                      memcmp(record->key, key->target, key->target_len) != 0 ||
                      memcmp(record->key + key->target_len, key->accept, accept_len) != 0))
        record = record->chain;
    return record;
}

static uint64_t hash_target(const struct response_cache *hot,
                            const struct response_cache_key *key)
{
    return siphash(&hot->hash_key, key->target, key->target_len);
}

static uint64_t hash_both(const struct response_cache *hot, uint64_t hash, const char *accept,
                          size_t len)
{
    struct siphash_key key = {{hash, hot->hash_key.half[1]}};

    return len ? siphash(&key, accept, len) : hash;
}

const struct response_cache_answer *response_cache_find(struct response_cache *hot,
                                                        const struct response_cache_key *key,
                                                        unsigned generation)
{
    struct response_cache_key known = *key;
    uint64_t hash = hash_target(hot, key);
    struct record *record;
    size_t accept_len;

    if (!known.accept)
        known.accept = "";
    accept_len = strlen(known.accept);
    record = look(hot, hash_both(hot, hash, known.accept, accept_len), &known, accept_len);
    if (accept_len > 0 && (!record || !record->answer.terms.by_accept)) {
        known.accept = "";
        record = look(hot, hash, &known, 0);
        if (record && record->answer.terms.by_accept) /* of a request without Accept */
            return NULL;
    }
    if (!record)
        return NULL;
    if (stale(record, generation)) {
        drop(hot, record);
        return NULL;
    }
    record->touched = true;
    if (record->answer.entry)
        cache_entry_touch(record->answer.entry);
    return &record->answer;
}

/* ---- adding -------------------------------------------------------------------------- */

/* Makes the 304 and, if there is an entry, the 200. */
static bool make_ready(struct response_cache_answer *answer)
{
    answer->unchanged = response_unchanged(&answer->terms, answer->len);
    if (!answer->unchanged || !answer->entry)
        return answer->unchanged;
    answer->ok = response_of_entry(answer->entry);
    return answer->ok && response_add_terms(answer->ok, &answer->terms) &&
           response_add_timing(answer->ok, "hit", 0);
}

static struct record *record_new(struct response_cache *hot,
                                 const struct response_cache_key *key,
                                 const struct response_cache_answer *answer)
{
    size_t accept_len = answer->terms.by_accept && key->accept ? strlen(key->accept) : 0;
    size_t key_len = key->target_len + accept_len, etag_size = strlen(answer->terms.etag) + 1;
    size_t location_size = answer->terms.location ? strlen(answer->terms.location) + 1 : 0;
    struct record *record = calloc(1, sizeof *record + key_len + etag_size + location_size);
    char *strings;

    if (!record)
        return NULL;
    memcpy(record->key, key->target, key->target_len);
    memcpy(record->key + key->target_len, key->accept ? key->accept : "", accept_len);
    strings = record->key + key_len;
    memcpy(strings, answer->terms.etag, etag_size);
    record->target_len = key->target_len;
    record->key_len = key_len;
    record->packed = key->packed;
    record->hash = hash_target(hot, key);
    if (answer->terms.by_accept)
        record->hash = hash_both(hot, record->hash, record->key + key->target_len, accept_len);
    record->answer = (struct response_cache_answer){.len = answer->len, .terms = answer->terms};
    if (answer->entry)
        record->answer.entry = cache_entry_ref(answer->entry);
    record->answer.terms.etag = strings;
    if (location_size > 0)
        record->answer.terms.location =
            memcpy(strings + etag_size, answer->terms.location, location_size);
    if (make_ready(&record->answer))
        return record;
    record_free(hot, record);
    return NULL;
}

/* While the cache is full, the hand seeks a record not found since its last round to drop. */
static void make_room(struct response_cache *hot)
{
    while (hot->count == RESPONSE_CACHE_MAX) {
        struct record *record = hot->clock[hot->hand];

        if (record->touched) {
            record->touched = false;
            hot->hand = (hot->hand + 1) % RESPONSE_CACHE_MAX;
        } else {
            drop(hot, record);
        }
    }
}

static void drop_known(struct response_cache *hot, const struct record *record)
{
    struct response_cache_key key = {.target = record->key,
                                     .target_len = record->target_len,
                                     .accept = record->key + record->target_len,
                                     .packed = record->packed};
    struct record *known = look(hot, record->hash, &key, record->key_len - record->target_len);

    if (known)
        drop(hot, known);
}

const struct response_cache_answer *response_cache_add(
    struct response_cache *hot, const struct response_cache_key *key, unsigned generation,
    const struct response_cache_answer *answer)
{
    struct record *record;

    if (key->target_len + (key->accept ? strlen(key->accept) : 0) > RESPONSE_CACHE_KEY_MAX ||
        (answer->terms.location && strlen(answer->terms.location) > RESPONSE_CACHE_KEY_MAX))
        return NULL;
    record = record_new(hot, key, answer);
    if (!record)
        return NULL;
    drop_known(hot, record);
    make_room(hot);
    record->generation = generation;
    record->slot = hot->count;
    hot->clock[hot->count++] = record;
    record->chain = hot->buckets[record->hash % BUCKETS];
    hot->buckets[record->hash % BUCKETS] = record;
    return &record->answer;
}

void response_cache_sweep(struct response_cache *hot, unsigned generation)
{
    for (size_t i = hot->count; i-- > 0;)
        if (stale(hot->clock[i], generation))
            drop(hot, hot->clock[i]);
}

size_t response_cache_count(const struct response_cache *hot)
{
    return hot->count;
}
