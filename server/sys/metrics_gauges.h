/* SPDX-License-Identifier: Apache-2.0
 * metrics_gauges.h - values on the page of metrics that are read from other modules. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct client_table;
struct metrics_page;

/* Values that other modules hold, read at a scrape. */
struct metrics_gauges {
    /* Writes the families of clients; NULL: keys are not in use. */
    void (*write_clients)(struct client_table *clients, struct metrics_page *page);
    struct client_table *clients;
    uint64_t inflight_bodies, inflight_sending, inflight_computing; /* bytes */
    uint64_t cache_bytes, cache_lent, cache_files, cache_entries, cache_evictions;
    uint64_t shared_tables, shared_table_bytes, log_dropped;
    uint64_t learned_tables, learned_bytes, learned_bad, learned_errors;
    uint64_t models, models_bad, model_errors, secrets_bad, secret_errors;
    int64_t certificate_expires; /* seconds since 1970; -1: there is none */
    bool ready, draining;
    unsigned overload_level;
    unsigned shortcuts_off; /* past the interface of libmicrohttpd (transport.h) */
    uint64_t max_connections, max_inflight, cache_size, max_body, max_elements; /* limits */
    uint64_t own_used, group_used;   /* bytes of memory when last measured */
    uint64_t own_limit, group_limit; /* UINT64_MAX: there is none */
};
