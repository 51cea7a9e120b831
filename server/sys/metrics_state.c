/* SPDX-License-Identifier: Apache-2.0
 * metrics_state.c - see metrics_state.h. */
#include "server/sys/metrics_state.h"

/* Writes bytes of memory by what they are of; UINT64_MAX stands for none. */
static void write_memory(struct metrics_page *page, enum metrics_family family, uint64_t own,
                         uint64_t group)
{
    metrics_page_begin(page, family);
    if (own != UINT64_MAX)
        metrics_page_sample(page, "of", "process", own);
    if (group != UINT64_MAX)
        metrics_page_sample(page, "of", "cgroup", group);
}

void metrics_state_write(struct metrics_page *page, const struct metrics_gauges *gauges)
{
    metrics_page_number(page, FAMILY_READY, gauges->ready);
    metrics_page_number(page, FAMILY_DRAINING, gauges->draining);
    metrics_page_number(page, FAMILY_OVERLOAD_LEVEL, gauges->overload_level);
    metrics_page_begin(page, FAMILY_LIMIT);
    metrics_page_sample(page, "flag", "max-connections", gauges->max_connections);
    metrics_page_sample(page, "flag", "max-inflight", gauges->max_inflight);
    metrics_page_sample(page, "flag", "cache-size", gauges->cache_size);
    metrics_page_sample(page, "flag", "max-body", gauges->max_body);
    metrics_page_sample(page, "flag", "max-elements", gauges->max_elements);
    write_memory(page, FAMILY_MEMORY_USED,
                 gauges->own_limit == UINT64_MAX ? UINT64_MAX : gauges->own_used,
                 gauges->group_limit == UINT64_MAX ? UINT64_MAX : gauges->group_used);
    write_memory(page, FAMILY_MEMORY_LIMIT, gauges->own_limit, gauges->group_limit);
    if (gauges->write_clients)
        gauges->write_clients(gauges->clients, page);
}
