/* SPDX-License-Identifier: Apache-2.0
 * inflight.c - shares of --max-inflight. Bodies may hold half of it. Responses that are being
 * sent may hold what bodies leave of eleven sixteenths, and at least three sixteenths. So
 * computing has five sixteenths left, and sending alone does not reach the first level of
 * overload (70 %). A computed response is released from this budget at once, since the cache
 * counts the entries that it keeps; entries that it does not keep, but that exchanges are still
 * sending (cache_lent), count here. */
#include "server/net/inflight.h"

#include "server/cache/cache.h"
#include "server/net/body_budget.h"
#include "server/net/peers.h"
#include "server/shared.h"

enum { PARTS = 16, HOLDERS_PARTS = 11, SENDING_PARTS = 3, FILLING_PART = 8 };

/* ---- taking -------------------------------------------------------------------------- */

/* Takes bytes of a budget of `all`. */
static bool take_of(struct service *service, uint64_t all, uint64_t bytes)
{
    uint64_t lent = cache_lent(service->cache);
    uint64_t max = all > lent ? all - lent : 0;
    uint64_t held = atomic_load_explicit(&service->inflight_bytes, memory_order_relaxed);

    do {
        if (bytes > max || held > max - bytes)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&service->inflight_bytes, &held,
                                                    held + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

bool inflight_try(struct service *service, uint64_t bytes)
{
    return take_of(service, service->config.max_inflight, bytes);
}

bool inflight_take_beyond(struct service *service, uint64_t bytes, uint64_t beyond)
{
    if (beyond != UINT64_MAX)
        return take_of(service, service->config.max_inflight + beyond, bytes);
    atomic_fetch_add_explicit(&service->inflight_bytes, bytes, memory_order_relaxed);
    return true;
}

bool inflight_reserve(struct service *service, uint64_t bytes)
{
    if (inflight_try(service, bytes))
        return true;
    inflight_want(service, bytes);
    return false;
}

void inflight_want(struct service *service, uint64_t bytes)
{
    body_budget_want(service->bodies, bytes);
    atomic_store_explicit(&service->missing_bytes, bytes, memory_order_relaxed);
}

void inflight_release(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->inflight_bytes, bytes, memory_order_relaxed);
}

/* ---- looking ------------------------------------------------------------------------- */

void inflight_begin_send(struct service *service, uint64_t bytes)
{
    atomic_fetch_add_explicit(&service->sending_bytes, bytes, memory_order_relaxed);
}

void inflight_end_send(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->sending_bytes, bytes, memory_order_relaxed);
}

void inflight_begin_leave(struct service *service, uint64_t bytes)
{
    atomic_fetch_add_explicit(&service->leaving_bytes, bytes, memory_order_relaxed);
}

void inflight_end_leave(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->leaving_bytes, bytes, memory_order_relaxed);
}

uint64_t inflight_used(const struct service *service)
{
    return atomic_load_explicit(&service->inflight_bytes, memory_order_relaxed) +
           cache_lent(service->cache);
}

uint64_t inflight_excess(const struct service *service)
{
    uint64_t part = service->config.max_inflight / PARTS, least = SENDING_PARTS * part;
    uint64_t bodies = body_budget_held(service->bodies), most = HOLDERS_PARTS * part;
    uint64_t held = atomic_load_explicit(&service->sending_bytes, memory_order_relaxed) +
                    cache_lent(service->cache);

    most = bodies + least < most ? most - bodies : least;
    most += atomic_load_explicit(&service->leaving_bytes, memory_order_relaxed);
    return held > most ? held - most : 0;
}

void inflight_shares(const struct service *service, uint64_t *bodies, uint64_t *sending,
                     uint64_t *computing)
{
    uint64_t all = inflight_used(service);

    *bodies = body_budget_held(service->bodies);
    *sending = atomic_load_explicit(&service->sending_bytes, memory_order_relaxed) +
               cache_lent(service->cache);
    *computing = all > *bodies + *sending ? all - *bodies - *sending
                                          : 0; /* the three are not read at one moment */
}

bool inflight_reserve_body(struct service *service, struct inflight_body *body, uint64_t bytes)
{
    if (!body_budget_take(service->bodies, body->peer, bytes))
        return false;
    if (body->bytes == 0 && bytes > 0)
        peers_share(service->peers, body->peer);
    body->bytes += bytes;
    return true;
}

void inflight_release_body(struct service *service, struct inflight_body *body, uint64_t kept)
{
    if (body->bytes <= kept)
        return;
    body_budget_give_back(service->bodies, body->peer, body->bytes - kept);
    body->bytes = kept;
    if (kept == 0)
        peers_drop(service->peers, body->peer);
}

bool inflight_is_short(const struct service *service)
{
    return body_budget_wanted(service->bodies) > 0 || inflight_excess(service) > 0 ||
           atomic_load_explicit(&service->missing_bytes, memory_order_relaxed) > 0;
}

bool inflight_is_filling(const struct service *service)
{
    uint64_t held = atomic_load_explicit(&service->sending_bytes, memory_order_relaxed) +
                    cache_lent(service->cache);

    return held > service->config.max_inflight / FILLING_PART || inflight_is_short(service);
}
