/* SPDX-License-Identifier: Apache-2.0
 * service_budget.c - --max-inflight, and who may hold how much of it. Bodies have half, answers
 * that are being sent what bodies leave of eleven sixteenths, and three sixteenths at least; so
 * computing has five sixteenths left, and the ladder stands on its ground (0.70). What is
 * computed is given back at once: the answer is in the cache, and counts as its own, or it is
 * lent by the cache to those who read it, and counts here. */
#include "server/cache/cache.h"
#include "server/net/body_budget.h"
#include "server/service.h"

enum { PARTS = 16, HOLDERS_PARTS = 11, SENDING_PARTS = 3 };

static bool take(struct service *service, uint64_t bytes)
{
    uint64_t all = service->config.max_inflight, lent = cache_lent(service->cache);
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

bool service_reserve(struct service *service, uint64_t bytes)
{
    if (take(service, bytes))
        return true;
    service_want(service, bytes);
    return false;
}

void service_want(struct service *service, uint64_t bytes)
{
    body_budget_want(service->bodies, bytes);
    atomic_store_explicit(&service->short_of_bytes, true, memory_order_relaxed);
}

void service_release(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->inflight_bytes, bytes, memory_order_relaxed);
}

void service_begin_send(struct service *service, uint64_t bytes)
{
    atomic_fetch_add_explicit(&service->sending_bytes, bytes, memory_order_relaxed);
}

void service_end_send(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->sending_bytes, bytes, memory_order_relaxed);
}

void service_begin_leave(struct service *service, uint64_t bytes)
{
    atomic_fetch_add_explicit(&service->leaving_bytes, bytes, memory_order_relaxed);
}

void service_end_leave(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->leaving_bytes, bytes, memory_order_relaxed);
}

uint64_t service_inflight(const struct service *service)
{
    return atomic_load_explicit(&service->inflight_bytes, memory_order_relaxed) +
           cache_lent(service->cache);
}

uint64_t service_excess(const struct service *service)
{
    uint64_t part = service->config.max_inflight / PARTS, least = SENDING_PARTS * part;
    uint64_t bodies = body_budget_held(service->bodies), most = HOLDERS_PARTS * part;
    uint64_t held = atomic_load_explicit(&service->sending_bytes, memory_order_relaxed) +
                    cache_lent(service->cache);

    most = bodies + least < most ? most - bodies : least;
    most += atomic_load_explicit(&service->leaving_bytes, memory_order_relaxed);
    return held > most ? held - most : 0;
}

void service_tell_inflight(const struct service *service, uint64_t *bodies, uint64_t *sending,
                           uint64_t *computing)
{
    uint64_t all = service_inflight(service);

    *bodies = body_budget_held(service->bodies);
    *sending = atomic_load_explicit(&service->sending_bytes, memory_order_relaxed) +
               cache_lent(service->cache);
    *computing = all > *bodies + *sending ? all - *bodies - *sending : 0; /* read one by one */
}

bool service_reserve_body(struct service *service, struct service_body *body, uint64_t bytes)
{
    if (!body_budget_take(service->bodies, body->peer, bytes))
        return false;
    if (!take(service, bytes)) {
        body_budget_give_back(service->bodies, body->peer, bytes);
        if (body_budget_beyond(service->bodies, body->peer) == 0)
            body_budget_want(service->bodies, bytes);
        return false;
    }
    body->bytes += bytes;
    return true;
}

void service_release_body(struct service *service, struct service_body *body, uint64_t kept)
{
    if (body->bytes <= kept)
        return;
    body_budget_give_back(service->bodies, body->peer, body->bytes - kept);
    service_release(service, body->bytes - kept);
    body->bytes = kept;
}

bool service_is_pressed(const struct service *service)
{
    return atomic_load_explicit(&service->overload_level, memory_order_relaxed) > 0 ||
           body_budget_wanted(service->bodies) > 0 || service_excess(service) > 0 ||
           atomic_load_explicit(&service->short_of_bytes, memory_order_relaxed);
}
