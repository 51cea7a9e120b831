/* SPDX-License-Identifier: Apache-2.0
 * overload.c - see overload.h. */
#include "server/net/overload.h"

#include <uv.h>

#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/net/inflight.h"
#include "server/shared.h"
#include "server/sys/heap.h"
#include "server/sys/log.h"
#include "server/sys/resources.h"

#define MEASURE_NS UINT64_C(1000000000)

#define LEVEL(ID, PERCENT) [OVERLOAD_##ID] = (PERCENT) / 100.0,
#define EFFECT(ID, LEVEL, TEXT)
static const double shares[OVERLOAD_LEVEL_COUNT] = {
#include "server/sys/overload_level.def"
};
#undef LEVEL
#undef EFFECT

static enum overload_level level_of(uint64_t used, uint64_t limit)
{
    double share = (double)used / (double)limit;
    enum overload_level level = OVERLOAD_NONE;

    while (level + 1 < OVERLOAD_LEVEL_COUNT && share >= shares[level + 1])
        level++;
    return level;
}

static enum overload_level highest(enum overload_level a, enum overload_level b)
{
    return a > b ? a : b;
}

/* ---- memory -------------------------------------------------------------------------- */

static enum overload_level memory_level(const struct service *service)
{
    uint64_t own = atomic_load_explicit(&service->memory.own_used, memory_order_relaxed);
    uint64_t group = atomic_load_explicit(&service->memory.group_used, memory_order_relaxed);

    return highest(
        level_of(own, atomic_load_explicit(&service->memory.limit, memory_order_relaxed)),
        level_of(group, service->memory.cgroup.limit));
}

static void measure_own(struct service *service)
{
    uint64_t used = resources_resident() + cache_file_bytes(service->cache);

    atomic_store_explicit(&service->memory.own_used, used, memory_order_relaxed);
}

static enum overload_level measure_all(struct service *service)
{
    measure_own(service);
    atomic_store_explicit(&service->memory.group_used, cgroup_used(&service->memory.cgroup),
                          memory_order_relaxed);
    return memory_level(service);
}

/* The entries are freed when the loops have swept their response caches, so their memory goes
 * back to the system at the next measurement. */
static void shrink_caches(struct service *service, enum overload_level level)
{
    uint64_t parts = overload_level_has(level, OVERLOAD_SHRINK_CACHES_FAST) ? 2 : 4;
    uint64_t answers = cache_shrink(service->cache, parts);
    uint64_t tables = table_cache_shrink(service->table_cache, parts);

    if (answers + tables > 0)
        log_event(
            service->log, LOG_INFO, "cache_shrunk",
            (struct log_field[]){{.name = "responses_bytes", .number = (int64_t)answers},
                                 {.name = "shared_tables_bytes", .number = (int64_t)tables},
                                 {0}});
}

void overload_sample_cgroup(struct service *service)
{
    pthread_mutex_lock(&service->memory.measuring);
    if (overload_level_has(measure_all(service), OVERLOAD_SHRINK_CACHES)) {
        enum overload_level level;

        heap_give_back(); /* takes milliseconds, so it is not called at every measurement */
        level = measure_all(service);
        if (overload_level_has(level, OVERLOAD_SHRINK_CACHES))
            shrink_caches(service, level);
    }
    pthread_mutex_unlock(&service->memory.measuring);
}

void overload_sample_memory(struct service *service)
{
    uint64_t now = uv_hrtime();

    if (atomic_load_explicit(&service->memory.limit, memory_order_relaxed) == UINT64_MAX)
        return;
    if (now - service->memory.measured_ns < MEASURE_NS) {
        measure_own(service);
        return;
    }
    service->memory.measured_ns = now;
    overload_sample_cgroup(service);
}

/* ---- the level ----------------------------------------------------------------------- */

void overload_update(struct service *service)
{
    uint64_t leaving = atomic_load_explicit(&service->leaving_bytes, memory_order_relaxed);
    uint64_t held = inflight_used(service);
    enum overload_level connections =
        level_of(atomic_load_explicit(&service->connections, memory_order_relaxed),
                 service->config.max_connections);
    enum overload_level inflight =
        level_of(held > leaving ? held - leaving : 0, service->config.max_inflight);
    int level = (int)highest(highest(connections, inflight), memory_level(service));
    int before =
        atomic_exchange_explicit(&service->overload_level, level, memory_order_relaxed);

    if (overload_level_has(inflight, OVERLOAD_CUT_SLOW_READERS))
        inflight_want(service, 1); /* uncached responses are refused for lack of memory */
    if (level != before)
        log_event(service->log, level > before ? LOG_WARN : LOG_INFO, "overload",
                  (struct log_field[]){{.name = "level", .number = level},
                                       {.name = "before", .number = before},
                                       {0}});
}
