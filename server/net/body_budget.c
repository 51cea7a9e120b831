/* SPDX-License-Identifier: Apache-2.0
 * body_budget.c - a hash table of peers with linear probing, at most half full. See
 * body_budget.h. */
#include "server/net/body_budget.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PEER_PART = 8 }; /* a peer's own part is an eighth of the share */

struct peer {
    uint64_t id;
    uint64_t bytes; /* 0: the slot is free */
};

struct body_budget {
    pthread_mutex_t lock;
    uint64_t share, own, most;
    uint64_t within; /* the sum over the peers of their bytes, at most `own` of each */
    _Atomic uint64_t held;
    _Atomic uint64_t missing; /* bytes refused for lack of memory, until some come back */
    _Atomic uint64_t crowded; /* bytes refused within an eighth, until some come back */
    size_t peers, count, mask;
    struct peer slots[];
};

struct body_budget *body_budget_new(size_t peers, uint64_t share, uint64_t most)
{
    struct body_budget *bodies;
    size_t slots = 2;

    while (slots < 2 * peers)
        slots *= 2;
    bodies = calloc(1, sizeof *bodies + slots * sizeof *bodies->slots);
    if (!bodies)
        return NULL;
    pthread_mutex_init(&bodies->lock, NULL);
    bodies->share = share;
    bodies->own = share / PEER_PART;
    bodies->most = most;
    bodies->peers = peers;
    bodies->mask = slots - 1;
    return bodies;
}

void body_budget_free(struct body_budget *bodies)
{
    if (!bodies)
        return;
    pthread_mutex_destroy(&bodies->lock);
    free(bodies);
}

/* ---- peers, under the lock ------------------------------------------------------------ */

/* Returns the peer's slot, or the free slot for it. Ids are drawn evenly and need no hash. */
static struct peer *find(struct body_budget *bodies, uint64_t id)
{
    size_t i = id & bodies->mask;

    while (bodies->slots[i].bytes > 0 && bodies->slots[i].id != id)
        i = (i + 1) & bodies->mask;
    return &bodies->slots[i];
}

/* Closes the gap at slot i: peers behind it that would no longer be found move up. */
static void close_gap(struct body_budget *bodies, size_t i)
{
    for (size_t j = (i + 1) & bodies->mask; bodies->slots[j].bytes > 0;
         j = (j + 1) & bodies->mask) {
        size_t from_home = (j - bodies->slots[j].id) & bodies->mask;

        if (from_home < ((j - i) & bodies->mask))
            continue;
        bodies->slots[i] = bodies->slots[j];
        bodies->slots[j].bytes = 0;
        i = j;
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns how many of a peer's `bytes` are within its own part. */
static uint64_t within(const struct body_budget *bodies, uint64_t bytes)
{
    return least(bytes, bodies->own);
}

static bool has_room(const struct body_budget *bodies, uint64_t before, uint64_t after)
{
    uint64_t held = atomic_load_explicit(&bodies->held, memory_order_relaxed);

    if (after > bodies->own)
        return after <= bodies->most && held + (after - before) <= bodies->most;
    return bodies->within + (after - before) <= bodies->share;
}

static bool count(struct body_budget *bodies, uint64_t id, uint64_t bytes)
{
    struct peer *peer = find(bodies, id);
    uint64_t before = peer->bytes, after;

    if (__builtin_add_overflow(before, bytes, &after))
        return false;
    if (!has_room(bodies, before, after) || (before == 0 && bodies->count == bodies->peers)) {
        if (after <= bodies->own)
            atomic_store_explicit(&bodies->crowded, bytes, memory_order_relaxed);
        return false;
    }
    bodies->count += before == 0;
    bodies->within += within(bodies, after) - within(bodies, before);
    *peer = (struct peer){.id = id, .bytes = after};
    atomic_fetch_add_explicit(&bodies->held, bytes, memory_order_relaxed);
    return true;
}

static void uncount(struct body_budget *bodies, uint64_t id, uint64_t bytes)
{
    struct peer *peer = find(bodies, id);

    assert(peer->bytes >= bytes);
    bodies->within -= within(bodies, peer->bytes) - within(bodies, peer->bytes - bytes);
    peer->bytes -= bytes;
    atomic_fetch_sub_explicit(&bodies->held, bytes, memory_order_relaxed);
    if (peer->bytes > 0)
        return;
    bodies->count--;
    close_gap(bodies, (size_t)(peer - bodies->slots));
}

/* ---- any thread ------------------------------------------------------------------------ */

bool body_budget_take(struct body_budget *bodies, uint64_t peer, uint64_t bytes)
{
    bool taken;

    if (bytes == 0)
        return true;
    pthread_mutex_lock(&bodies->lock);
    taken = count(bodies, peer, bytes);
    pthread_mutex_unlock(&bodies->lock);
    return taken;
}

/* Another thread may have wanted bytes for which only the undone take left no room. */
static void forget_wants(struct body_budget *bodies)
{
    uint64_t crowded = atomic_load_explicit(&bodies->crowded, memory_order_relaxed);

    if (body_budget_held(bodies) == bodies->within)
        atomic_store_explicit(&bodies->missing, 0, memory_order_relaxed);
    if (bodies->within + crowded <= bodies->share)
        atomic_store_explicit(&bodies->crowded, 0, memory_order_relaxed);
}

void body_budget_undo(struct body_budget *bodies, uint64_t id, uint64_t bytes)
{
    if (bytes == 0)
        return;
    pthread_mutex_lock(&bodies->lock);
    uncount(bodies, id, bytes);
    forget_wants(bodies);
    pthread_mutex_unlock(&bodies->lock);
}

void body_budget_satisfy(struct body_budget *bodies)
{
    atomic_store_explicit(&bodies->missing, 0, memory_order_relaxed);
    atomic_store_explicit(&bodies->crowded, 0, memory_order_relaxed);
}

void body_budget_give_back(struct body_budget *bodies, uint64_t id, uint64_t bytes)
{
    if (bytes == 0)
        return;
    pthread_mutex_lock(&bodies->lock);
    uncount(bodies, id, bytes);
    body_budget_satisfy(bodies);
    pthread_mutex_unlock(&bodies->lock);
}

uint64_t body_budget_held(const struct body_budget *bodies)
{
    return atomic_load_explicit(&bodies->held, memory_order_relaxed);
}

bool body_budget_never_fit(const struct body_budget *bodies, uint64_t bytes)
{
    return bytes > bodies->most;
}

void body_budget_want(struct body_budget *bodies, uint64_t bytes)
{
    pthread_mutex_lock(&bodies->lock);
    if (body_budget_held(bodies) > bodies->within)
        atomic_store_explicit(&bodies->missing, bytes, memory_order_relaxed);
    pthread_mutex_unlock(&bodies->lock);
}

bool body_budget_are_crowded(const struct body_budget *bodies)
{
    return atomic_load_explicit(&bodies->crowded, memory_order_relaxed) > 0;
}

uint64_t body_budget_wanted(const struct body_budget *bodies)
{
    uint64_t held = body_budget_held(bodies);

    return (held > bodies->most ? held - bodies->most : 0) +
           atomic_load_explicit(&bodies->missing, memory_order_relaxed) +
           atomic_load_explicit(&bodies->crowded, memory_order_relaxed);
}

uint64_t body_budget_beyond(struct body_budget *bodies, uint64_t id)
{
    const struct peer *peer;
    uint64_t beyond;

    pthread_mutex_lock(&bodies->lock);
    peer = find(bodies, id);
    beyond = peer->bytes - within(bodies, peer->bytes);
    pthread_mutex_unlock(&bodies->lock);
    return beyond;
}
