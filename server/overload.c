/* SPDX-License-Identifier: Apache-2.0
 * overload.c - the overload ladder: how near the service is to what it may have, and
 * what it gives back when memory is short. */
#include <malloc.h>
#include <uv.h>

#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/service.h"
#include "server/sys/log.h"
#include "server/sys/resources.h"

#define LOOK_NS UINT64_C(1000000000)
enum { GIVE_BACK_FROM = 2, HURRY_FROM = 3 }; /* levels */

/* The rung of used / limit: 70, 85, 95, 100 %. */
static int rung(uint64_t used, uint64_t limit)
{
    static const double steps[] = {0.70, 0.85, 0.95, 1.0};
    double share = (double)used / (double)limit;
    int level = 0;

    while (level < 4 && share >= steps[level])
        level++;
    return level;
}

static int highest(int a, int b)
{
    return a > b ? a : b;
}

/* ---- memory -------------------------------------------------------------------------- */

static int memory_level(const struct service *service)
{
    uint64_t own = atomic_load_explicit(&service->memory.own_used, memory_order_relaxed);
    uint64_t group = atomic_load_explicit(&service->memory.group_used, memory_order_relaxed);

    return highest(
        rung(own, atomic_load_explicit(&service->memory.limit, memory_order_relaxed)),
        rung(group, service->memory.cgroup.limit));
}

static void weigh_own(struct service *service)
{
    atomic_store_explicit(&service->memory.own_used, resources_resident(),
                          memory_order_relaxed);
}

static int weigh_all(struct service *service)
{
    weigh_own(service);
    atomic_store_explicit(&service->memory.group_used, cgroup_used(&service->memory.cgroup),
                          memory_order_relaxed);
    return memory_level(service);
}

/* A quarter of what is kept, or half. The entries are freed when the loops have swept their
 * ready-made responses, so their memory goes to the system at the next look. */
static void give_back(struct service *service, int level)
{
    uint64_t parts = level >= HURRY_FROM ? 2 : 4;
    uint64_t answers = cache_shrink(service->cache, parts);
    uint64_t tables = table_cache_shrink(service->store, parts);

    if (answers + tables > 0)
        log_event(
            service->log, LOG_INFO, "cache_shrunk",
            (struct log_field[]){{.name = "responses_bytes", .number = (int64_t)answers},
                                 {.name = "shared_tables_bytes", .number = (int64_t)tables},
                                 {0}});
}

void overload_sample_cgroup(struct service *service)
{
    pthread_mutex_lock(&service->memory.looking);
    if (weigh_all(service) >= GIVE_BACK_FROM) {
        int level;

        malloc_trim(0); /* takes milliseconds: not at every turn */
        level = weigh_all(service);
        if (level >= GIVE_BACK_FROM)
            give_back(service, level);
    }
    pthread_mutex_unlock(&service->memory.looking);
}

void overload_sample_memory(struct service *service)
{
    uint64_t now = uv_hrtime();

    if (atomic_load_explicit(&service->memory.limit, memory_order_relaxed) == UINT64_MAX)
        return;
    if (now - service->memory.looked_ns < LOOK_NS) {
        weigh_own(service);
        return;
    }
    service->memory.looked_ns = now;
    overload_sample_cgroup(service);
}

/* ---- the ladder ---------------------------------------------------------------------- */

void overload_update(struct service *service)
{
    int connections = rung(atomic_load_explicit(&service->connections, memory_order_relaxed),
                           service->config.max_connections);
    uint64_t leaving = atomic_load_explicit(&service->leaving_bytes, memory_order_relaxed);
    uint64_t held = service_inflight(service);
    int inflight = rung(held > leaving ? held - leaving : 0, service->config.max_inflight);
    int level = highest(highest(connections, inflight), memory_level(service));
    int before =
        atomic_exchange_explicit(&service->overload_level, level, memory_order_relaxed);

    if (inflight >= HURRY_FROM) /* answers that are not cached are refused for want of it */
        service_want(service, 1);
    if (level != before)
        log_event(service->log, level > before ? LOG_WARN : LOG_INFO, "overload",
                  (struct log_field[]){{.name = "level", .number = level},
                                       {.name = "before", .number = before},
                                       {0}});
}
