/* SPDX-License-Identifier: Apache-2.0
 * service_pressure.c - the overload ladder: how near the service is to what it may have. */
#include <malloc.h>
#include <uv.h>

#include "server/log.h"
#include "server/machine.h"
#include "server/service.h"

#define TRIM_NS UINT64_C(5000000000)
enum { TRIM_FROM = 2 }; /* level */

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

/* Freed memory goes back to the system, since it is short of it; not always, for it takes
 * milliseconds. */
static void trim(struct service *service)
{
    uint64_t now = uv_hrtime();

    if (now - service->trimmed_ns < TRIM_NS)
        return;
    service->trimmed_ns = now;
    malloc_trim(0);
}

void service_weigh(struct service *service)
{
    uint64_t memory = atomic_load_explicit(&service->memory, memory_order_relaxed), resident;

    if (memory == UINT64_MAX)
        return;
    resident = machine_resident();
    atomic_store_explicit(&service->resident, resident, memory_order_relaxed);
    if (rung(resident, memory) >= TRIM_FROM)
        trim(service);
}

void service_press(struct service *service)
{
    int connections = rung(atomic_load_explicit(&service->connections, memory_order_relaxed),
                           service->config.max_connections);
    int inflight = rung(atomic_load_explicit(&service->inflight_bytes, memory_order_relaxed),
                        service->config.max_inflight);
    int memory = rung(atomic_load_explicit(&service->resident, memory_order_relaxed),
                      atomic_load_explicit(&service->memory, memory_order_relaxed));
    int level = highest(highest(connections, inflight), memory);
    int before = atomic_exchange_explicit(&service->pressure, level, memory_order_relaxed);

    if (level != before)
        log_event(service->log, level > before ? LOG_WARN : LOG_INFO, "pressure",
                  (struct log_field[]){{.name = "level", .number = level},
                                       {.name = "before", .number = before},
                                       {0}});
}
