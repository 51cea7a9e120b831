/* SPDX-License-Identifier: Apache-2.0
 * response_cache.c - see response_cache.h. The records are in a chained hash table and evicted
 * by the CLOCK algorithm. */
#include "server/exchange/response_cache.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/cache/body_file.h"
#include "server/http/transport.h"
#include "server/sys/siphash.h"

enum { BUCKETS = 2 * RESPONSE_CACHE_MAX };

struct record {
    struct record *chain;
    uint64_t hash;
    struct response_cache_answer answer;
    unsigned generation;
    bool gzip;    /* the key's */
    bool touched; /* found since the hand passed */
    size_t slot;  /* index in the clock */
    size_t target_len, key_len;
    char key[]; /* target, Accept if that matters, then etag, location and old
                * names with their NULs */
};

struct response_cache {
    unsigned shortcuts;
    struct record *buckets[BUCKETS];
    struct record *clock[RESPONSE_CACHE_MAX];
    size_t count, hand;
    struct siphash_key hash_key;
};

struct response_cache *response_cache_new(unsigned shortcuts)
{
    struct response_cache *responses = calloc(1, sizeof *responses);

    if (!responses)
        return NULL;
    responses->shortcuts = shortcuts;
    responses->hash_key = siphash_key_draw();
    return responses;
}

static void record_free(struct response_cache *responses, struct record *record)
{
    transport_response_free(record->answer.ok);
    if (record->answer.file)
        body_file_end_share(cache_entry_answer(record->answer.entry)->file);
    transport_response_free(record->answer.unchanged);
    cache_entry_unref(record->answer.entry);
    free(record);
}

/* Takes the record out of its chain and off the clock, whose last record fills the gap. */
static void drop(struct response_cache *responses, struct record *record)
{
    struct record **at = &responses->buckets[record->hash % BUCKETS];
    struct record *last = responses->clock[--responses->count];

    while (*at != record)
        at = &(*at)->chain;
    *at = record->chain;
    responses->clock[record->slot] = last;
    last->slot = record->slot;
    responses->clock[responses->count] = NULL;
    record_free(responses, record);
}

void response_cache_free(struct response_cache *responses)
{
    if (!responses)
        return;
    while (responses->count > 0)
        drop(responses, responses->clock[0]);
    free(responses);
}

static bool stale(const struct record *record, unsigned generation)
{
    return record->generation != generation ||
           (record->answer.entry && cache_entry_evicted(record->answer.entry));
}

/* ---- finding ------------------------------------------------------------------------- */

/* Whether Accept matters follows from the target alone, which is not parsed here: so
 * response_cache_find looks for target and Accept first, then for the target alone. */
static struct record *look(const struct response_cache *responses, uint64_t hash,
                           const struct response_cache_key *key, size_t accept_len)
{
    size_t len = key->target_len + accept_len;
    struct record *record = responses->buckets[hash % BUCKETS];

    while (record && (record->hash != hash || record->key_len != len ||
                      record->target_len != key->target_len ||
                      (record->answer.meta.by_coding && record->gzip != key->gzip) ||
                      memcmp(record->key, key->target, key->target_len) != 0 ||
                      memcmp(record->key + key->target_len, key->accept, accept_len) != 0))
        record = record->chain;
    return record;
}

static uint64_t hash_target(const struct response_cache *responses,
                            const struct response_cache_key *key)
{
    return siphash(&responses->hash_key, key->target, key->target_len);
}

static uint64_t hash_both(const struct response_cache *responses, uint64_t hash,
                          const char *accept, size_t len)
{
    struct siphash_key key = {{hash, responses->hash_key.half[1]}};

    return len ? siphash(&key, accept, len) : hash;
}

const struct response_cache_answer *response_cache_find(struct response_cache *responses,
                                                        const struct response_cache_key *key,
                                                        unsigned generation)
{
    struct response_cache_key known = *key;
    uint64_t hash = hash_target(responses, key);
    struct record *record;
    size_t accept_len;

    if (!known.accept)
        known.accept = "";
    accept_len = strlen(known.accept);
    record = look(responses, hash_both(responses, hash, known.accept, accept_len), &known,
                  accept_len);
    if (accept_len > 0 && (!record || !record->answer.meta.by_accept)) {
        known.accept = "";
        record = look(responses, hash, &known, 0);
        if (record && record->answer.meta.by_accept) /* of a request without Accept */
            return NULL;
    }
    if (!record)
        return NULL;
    if (stale(record, generation)) {
        drop(responses, record);
        return NULL;
    }
    record->touched = true;
    if (record->answer.entry)
        cache_entry_touch(record->answer.entry);
    return &record->answer;
}

/* ---- adding -------------------------------------------------------------------------- */

/* Makes the 304 and, if there is an entry, the 200. */
static bool make_ready(unsigned shortcuts, struct response_cache_answer *answer)
{
    struct transport_body body = response_of_none(answer->len);
    struct header_block head;

    header_block_init(&head);
    response_write_meta(&head, &answer->meta);
    answer->unchanged = transport_response_new(shortcuts, &body, &head);
    if (!answer->unchanged || !answer->entry)
        return answer->unchanged;
    header_block_init(&head);
    response_write_entry(&head, answer->entry, &answer->meta, "hit", 0);
    body = response_of_entry_file(answer->entry);
    answer->file = body.kind == TRANSPORT_FILE;
    answer->ok = transport_response_new(shortcuts, &body, &head);
    return answer->ok;
}

static struct record *record_new(struct response_cache *responses,
                                 const struct response_cache_key *key,
                                 const struct response_cache_answer *answer)
{
    size_t accept_len = answer->meta.by_accept && key->accept ? strlen(key->accept) : 0;
    size_t key_len = key->target_len + accept_len, etag_size = strlen(answer->meta.etag) + 1;
    size_t location_size = answer->meta.location ? strlen(answer->meta.location) + 1 : 0;
    size_t names_size = answer->meta.old_names ? strlen(answer->meta.old_names) + 1 : 0;
    struct record *record =
        calloc(1, sizeof *record + key_len + etag_size + location_size + names_size);
    char *strings;

    if (!record)
        return NULL;
    memcpy(record->key, key->target, key->target_len);
    memcpy(record->key + key->target_len, key->accept ? key->accept : "", accept_len);
    strings = record->key + key_len;
    memcpy(strings, answer->meta.etag, etag_size);
    record->target_len = key->target_len;
    record->key_len = key_len;
    record->gzip = key->gzip;
    record->hash = hash_target(responses, key);
    if (answer->meta.by_accept)
        record->hash =
            hash_both(responses, record->hash, record->key + key->target_len, accept_len);
    record->answer = (struct response_cache_answer){.len = answer->len, .meta = answer->meta};
    if (answer->entry)
        record->answer.entry = cache_entry_ref(answer->entry);
    record->answer.meta.etag = strings;
    if (location_size > 0)
        record->answer.meta.location =
            memcpy(strings + etag_size, answer->meta.location, location_size);
    if (names_size > 0)
        record->answer.meta.old_names =
            memcpy(strings + etag_size + location_size, answer->meta.old_names, names_size);
    if (make_ready(responses->shortcuts, &record->answer))
        return record;
    record_free(responses, record);
    return NULL;
}

/* While the cache is full, the hand seeks a record not found since its last round to drop. */
static void evict(struct response_cache *responses)
{
    while (responses->count == RESPONSE_CACHE_MAX) {
        struct record *record = responses->clock[responses->hand];

        if (record->touched) {
            record->touched = false;
            responses->hand = (responses->hand + 1) % RESPONSE_CACHE_MAX;
        } else {
            drop(responses, record);
        }
    }
}

static void drop_known(struct response_cache *responses, const struct record *record)
{
    struct response_cache_key key = {.target = record->key,
                                     .target_len = record->target_len,
                                     .accept = record->key + record->target_len,
                                     .gzip = record->gzip};
    struct record *known =
        look(responses, record->hash, &key, record->key_len - record->target_len);

    if (known)
        drop(responses, known);
}

const struct response_cache_answer *response_cache_add(
    struct response_cache *responses, const struct response_cache_key *key, unsigned generation,
    const struct response_cache_answer *answer)
{
    struct record *record;

    if (!transport_shares_responses(responses->shortcuts) ||
        key->target_len + (key->accept ? strlen(key->accept) : 0) > RESPONSE_CACHE_KEY_MAX ||
        (answer->meta.location && strlen(answer->meta.location) > RESPONSE_CACHE_KEY_MAX))
        return NULL;
    record = record_new(responses, key, answer);
    if (!record)
        return NULL;
    drop_known(responses, record);
    evict(responses);
    record->generation = generation;
    record->slot = responses->count;
    responses->clock[responses->count++] = record;
    record->chain = responses->buckets[record->hash % BUCKETS];
    responses->buckets[record->hash % BUCKETS] = record;
    return &record->answer;
}

void response_cache_sweep(struct response_cache *responses, unsigned generation)
{
    for (size_t i = responses->count; i-- > 0;)
        if (stale(responses->clock[i], generation))
            drop(responses, responses->clock[i]);
}

size_t response_cache_count(const struct response_cache *responses)
{
    return responses->count;
}
