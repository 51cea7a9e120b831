/* SPDX-License-Identifier: Apache-2.0
 * service_budget.c - --max-inflight, and who may hold how much of it: bodies have half. */
#include "server/bodies.h"
#include "server/service.h"

static bool take(struct service *service, uint64_t bytes)
{
    uint64_t max = service->config.max_inflight;
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
    bodies_want(service->bodies, bytes);
    return false;
}

void service_release(struct service *service, uint64_t bytes)
{
    if (bytes > 0)
        atomic_fetch_sub_explicit(&service->inflight_bytes, bytes, memory_order_relaxed);
}

bool service_reserve_body(struct service *service, struct service_body *body, uint64_t bytes)
{
    if (!bodies_take(service->bodies, body->peer, bytes))
        return false;
    if (!take(service, bytes)) {
        bodies_give_back(service->bodies, body->peer, bytes);
        if (bodies_beyond(service->bodies, body->peer) == 0)
            bodies_want(service->bodies, bytes);
        return false;
    }
    body->bytes += bytes;
    return true;
}

void service_release_body(struct service *service, struct service_body *body, uint64_t kept)
{
    if (body->bytes <= kept)
        return;
    bodies_give_back(service->bodies, body->peer, body->bytes - kept);
    service_release(service, body->bytes - kept);
    body->bytes = kept;
}

bool service_is_pressed(const struct service *service)
{
    return atomic_load_explicit(&service->pressure, memory_order_relaxed) > 0 ||
           bodies_wanted(service->bodies) > 0;
}
