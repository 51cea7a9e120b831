/* SPDX-License-Identifier: Apache-2.0
 * body_budget.c - see body_budget.h. */
#include "server/net/body_budget.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "server/net/peers.h"

enum { PEER_PART = 8 }; /* a peer's own part is an eighth of the share */

struct body_budget {
    pthread_mutex_t lock;
    uint64_t share, own, most;
    struct body_budget_source source;
    uint64_t within; /* the sum over the peers of their bytes, at most `own` of each */
    _Atomic uint64_t held;
    _Atomic uint64_t missing; /* bytes refused for lack of memory, until some come back */
    _Atomic uint64_t crowded; /* bytes refused within an eighth, until some come back */
};

struct body_budget *body_budget_new(uint64_t share, uint64_t most,
                                    struct body_budget_source source)
{
    struct body_budget *bodies = calloc(1, sizeof *bodies);

    if (!bodies)
        return NULL;
    pthread_mutex_init(&bodies->lock, NULL);
    bodies->share = share;
    bodies->own = share / PEER_PART;
    bodies->most = most;
    bodies->source = source;
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

/* Returns how many of a peer's `bytes` are within its own part. */
static uint64_t within(const struct body_budget *bodies, uint64_t bytes)
{
    return bytes < bodies->own ? bytes : bodies->own;
}

static bool fits(const struct body_budget *bodies, uint64_t before, uint64_t after)
{
    uint64_t held = atomic_load_explicit(&bodies->held, memory_order_relaxed);

    if (after > bodies->own)
        return after <= bodies->most && held + (after - before) <= bodies->most;
    return bodies->within + (after - before) <= bodies->share;
}

/* The bytes are wanted from peers beyond their own part, if there are any. */
static void want(struct body_budget *bodies, uint64_t bytes)
{
    if (body_budget_held(bodies) > bodies->within)
        atomic_store_explicit(&bodies->missing, bytes, memory_order_relaxed);
}

static bool count(struct body_budget *bodies, struct peer *peer, uint64_t bytes)
{
    uint64_t before = peer->body_bytes, after;

    if (__builtin_add_overflow(before, bytes, &after))
        return false;
    if (!fits(bodies, before, after)) {
        if (after <= bodies->own)
            atomic_store_explicit(&bodies->crowded, bytes, memory_order_relaxed);
        return false;
    }
    if (!bodies->source.take(bodies->source.service, bytes)) {
        if (before <= bodies->own)
            want(bodies, bytes);
        return false;
    }
    bodies->within += within(bodies, after) - within(bodies, before);
    peer->body_bytes = after;
    atomic_fetch_add_explicit(&bodies->held, bytes, memory_order_relaxed);
    return true;
}

/* ---- any thread ------------------------------------------------------------------------ */

bool body_budget_take(struct body_budget *bodies, struct peer *peer, uint64_t bytes)
{
    bool taken;

    if (bytes == 0)
        return true;
    pthread_mutex_lock(&bodies->lock);
    taken = count(bodies, peer, bytes);
    pthread_mutex_unlock(&bodies->lock);
    return taken;
}

void body_budget_satisfy(struct body_budget *bodies)
{
    atomic_store_explicit(&bodies->missing, 0, memory_order_relaxed);
    atomic_store_explicit(&bodies->crowded, 0, memory_order_relaxed);
}

void body_budget_give_back(struct body_budget *bodies, struct peer *peer, uint64_t bytes)
{
    if (bytes == 0)
        return;
    pthread_mutex_lock(&bodies->lock);
    assert(peer->body_bytes >= bytes);
    bodies->within -= within(bodies, peer->body_bytes);
    peer->body_bytes -= bytes;
    bodies->within += within(bodies, peer->body_bytes);
    atomic_fetch_sub_explicit(&bodies->held, bytes, memory_order_relaxed);
    body_budget_satisfy(bodies);
    bodies->source.give(bodies->source.service, bytes);
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
    want(bodies, bytes);
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

uint64_t body_budget_beyond(struct body_budget *bodies, const struct peer *peer)
{
    uint64_t beyond;

    pthread_mutex_lock(&bodies->lock);
    beyond = peer->body_bytes - within(bodies, peer->body_bytes);
    pthread_mutex_unlock(&bodies->lock);
    return beyond;
}
