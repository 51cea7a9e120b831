/* SPDX-License-Identifier: Apache-2.0
 * metrics.c - loops count in slabs; a scrape sums and prints them. A slab has one writer, so a
 * count is a plain load and store that other threads may read (relaxed atomics). */
#include "server/sys/metrics.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "core/posenc.h"
#include "server/http/transport.h"
#include "server/sys/metrics_page.h"
#include "server/sys/metrics_state.h"
#include "server/sys/process_metrics.h"

/* Upper bounds of the histograms' buckets, as Prometheus spells them and in nanoseconds. */
static const struct bound {
    const char *text;
    uint64_t ns;
} bounds[] = {
    {"2.5e-05", 25000},   {"5e-05", 50000},    {"0.0001", 100000},  {"0.00025", 250000},
    {"0.0005", 500000},   {"0.001", 1000000},  {"0.0025", 2500000}, {"0.005", 5000000},
    {"0.01", 10000000},   {"0.025", 25000000}, {"0.05", 50000000},  {"0.1", 100000000},
    {"0.25", 250000000},  {"0.5", 500000000},  {"1", 1000000000},   {"2.5", 2500000000},
    {"+Inf", UINT64_MAX},
};
enum { BUCKETS = sizeof bounds / sizeof *bounds };

static const unsigned codes[] = {
    200, 204, 206, 304, 400, 401, 403, 404, 405, 406, 413, 414,
    415, 416, 417, 421, 429, 431, 500, 501, 503, 505, 0 /* any other */};
static const char *const methods[] = {"GET",     "HEAD", "POST",   "QUERY",
                                      "OPTIONS", "PUT",  "DELETE", "other"};
static const char *const cache_results[METRICS_CACHE_COUNT] = {
#define CACHE_RESULT(ID, NAME) [METRICS_##ID] = NAME,
#include "server/sys/metrics.def"
};
static const char *const reasons[METRICS_REJECT_COUNT] = {
#define REJECT_REASON(ID, NAME) [METRICS_REJECT_##ID] = NAME,
#include "server/sys/metrics.def"
};
enum {
    CODES = sizeof codes / sizeof *codes,
    METHODS = sizeof methods / sizeof *methods,
    ROUTES = ENDPOINT_COUNT + 1
};
static const char *const lanes[] = {"quick", "expensive"};
enum { LANES = sizeof lanes / sizeof *lanes };

typedef _Atomic uint64_t cell;

struct histogram {
    cell buckets[BUCKETS], sum_ns;
};

struct metrics_slab {
    cell requests[ROUTES][METHODS][CODES], bytes[ROUTES];
    cell cache[METRICS_CACHE_COUNT], rejected[METRICS_REJECT_COUNT];
    cell identity, gzip;        /* bytes of answers before and after compression */
    cell old_names;             /* requests that used old names of parameters */
    cell inflight, connections; /* in two's complement, since a delta may be negative */
    struct histogram first_bytes[ROUTES], durations[ROUTES], found[METRICS_FOUND_COUNT],
        queued[LANES];
    struct {
        struct histogram seconds;
        cell elements;
    } encodings[];
};

struct metrics {
    size_t loops;
    struct metrics_slab *slabs[];
};

/* ---- life -------------------------------------------------------------------------- */

struct metrics *metrics_new(size_t loops)
{
    struct metrics *metrics = calloc(1, sizeof *metrics + (loops + 1) * sizeof *metrics->slabs);
    struct metrics_slab *slab;
    size_t size = sizeof *slab + pe_count() * sizeof slab->encodings[0];

    if (!metrics)
        return NULL;
    metrics->loops = loops;
    for (size_t i = 0; i <= loops; i++) {
        /* Slabs are whole cache lines, so that no two loops write to the same line. */
        metrics->slabs[i] = slab = aligned_alloc(64, (size + 63) / 64 * 64);
        if (!slab) {
            metrics_free(metrics);
            return NULL;
        }
        memset(slab, 0, size);
    }
    return metrics;
}

void metrics_free(struct metrics *metrics)
{
    if (!metrics)
        return;
    for (size_t i = 0; i <= metrics->loops; i++)
        free(metrics->slabs[i]);
    free(metrics);
}

struct metrics_slab *metrics_slab(struct metrics *metrics, size_t i)
{
    assert(i <= metrics->loops);
    return metrics->slabs[i];
}

/* ---- counting ---------------------------------------------------------------------- */

static void count(cell *place, uint64_t more)
{
    atomic_store_explicit(place, atomic_load_explicit(place, memory_order_relaxed) + more,
                          memory_order_relaxed);
}

static void observe(struct histogram *histogram, uint64_t ns)
{
    size_t i = 0;

    while (ns > bounds[i].ns)
        i++;
    count(&histogram->buckets[i], 1);
    count(&histogram->sum_ns, ns);
}

static size_t method_index(unsigned method) /* METHOD_GET is bit 0, METHOD_HEAD bit 1 ... */
{
    size_t i = 0;

    while (i + 1 < METHODS && method != 1u << i)
        i++;
    return i;
}

static size_t code_index(unsigned status)
{
    size_t i = 0;

    while (i + 1 < CODES && codes[i] != status)
        i++;
    return i;
}

void metrics_request(struct metrics_slab *slab, const struct metrics_request *request)
{
    const size_t route = request->endpoint;

    assert(route < ROUTES);
    count(&slab->requests[route][method_index(request->method)][code_index(request->status)],
          1);
    count(&slab->bytes[route], request->bytes);
    observe(&slab->first_bytes[route], request->first_byte_ns);
    observe(&slab->found[request->found], request->first_byte_ns);
    observe(&slab->durations[route], request->last_byte_ns);
}

void metrics_cache(struct metrics_slab *slab, enum metrics_cache result)
{
    count(&slab->cache[result], 1);
}

const char *metrics_reject_name(enum metrics_reject reason)
{
    return reasons[reason];
}

void metrics_reject(struct metrics_slab *slab, enum metrics_reject reason)
{
    count(&slab->rejected[reason], 1);
}

void metrics_compute(struct metrics_slab *slab, size_t encoding, uint64_t ns, uint64_t elements)
{
    assert(encoding < pe_count());
    observe(&slab->encodings[encoding].seconds, ns);
    count(&slab->encodings[encoding].elements, elements);
}

void metrics_queued(struct metrics_slab *slab, bool expensive, uint64_t ns)
{
    observe(&slab->queued[expensive], ns);
}

void metrics_compressed(struct metrics_slab *slab, uint64_t identity, uint64_t gzip)
{
    count(&slab->identity, identity);
    count(&slab->gzip, gzip);
}

void metrics_old_names(struct metrics_slab *slab)
{
    count(&slab->old_names, 1);
}

void metrics_inflight(struct metrics_slab *slab, int64_t delta)
{
    count(&slab->inflight, (uint64_t)delta);
}

void metrics_connections(struct metrics_slab *slab, int64_t delta)
{
    count(&slab->connections, (uint64_t)delta);
}

/* ---- the page ---------------------------------------------------------------------- */

/* The page being written, and the metrics that it shows. */
struct scrape {
    struct metrics_page page;
    const struct metrics *metrics;
};

/* The sum over all slabs of the cell at the same place as *in_first in the first. */
static uint64_t sum(const struct scrape *scrape, const cell *in_first)
{
    const char *first = (const char *)scrape->metrics->slabs[0];
    size_t offset = (size_t)((const char *)in_first - first);
    uint64_t total = 0;

    for (size_t i = 0; i <= scrape->metrics->loops; i++)
        total += atomic_load_explicit(
            (const cell *)(const void *)((const char *)scrape->metrics->slabs[i] + offset),
            memory_order_relaxed);
    return total;
}

/* The histogram has an observation. Histograms of routes and encodings that no client asked for
 * would fill the page, and are left out. */
static bool observed(const struct scrape *scrape, const struct histogram *in_first)
{
    uint64_t total = 0;

    for (size_t i = 0; i < BUCKETS; i++)
        total += sum(scrape, &in_first->buckets[i]);
    return total > 0;
}

static void histogram(struct scrape *scrape, const char *label, const char *value,
                      const struct histogram *in_first)
{
    const char *name = scrape->page.name;
    uint64_t total = 0;

    for (size_t i = 0; i < BUCKETS; i++) {
        total += sum(scrape, &in_first->buckets[i]);
        buffer_add_format(scrape->page.out, "%s_bucket{%s=\"%s\",le=\"%s\"} %" PRIu64 "\n",
                          name, label, value, bounds[i].text, total);
    }
    buffer_add_format(scrape->page.out, "%s_sum{%s=\"%s\"} %.9f\n", name, label, value,
                      (double)sum(scrape, &in_first->sum_ns) / 1e9);
    buffer_add_format(scrape->page.out, "%s_count{%s=\"%s\"} %" PRIu64 "\n", name, label, value,
                      total);
}

static const char *route_name(size_t route)
{
    return route < ENDPOINT_COUNT ? endpoint_at(route)->path : "none";
}

static void write_times(struct scrape *scrape, enum metrics_family family,
                        const struct histogram *in_first)
{
    metrics_page_begin(&scrape->page, family);
    for (size_t route = 0; route < ROUTES; route++)
        if (observed(scrape, &in_first[route]))
            histogram(scrape, "route", route_name(route), &in_first[route]);
}

static void write_requests(struct scrape *scrape)
{
    const struct metrics_slab *first = scrape->metrics->slabs[0];

    metrics_page_begin(&scrape->page, FAMILY_REQUESTS);
    for (size_t route = 0; route < ROUTES; route++)
        for (size_t method = 0; method < METHODS; method++)
            for (size_t code = 0; code < CODES; code++) {
                uint64_t number = sum(scrape, &first->requests[route][method][code]);
                char text[12] = "other";

                if (codes[code])
                    snprintf(text, sizeof text, "%u", codes[code]);
                if (number)
                    buffer_add_format(
                        scrape->page.out,
                        "%s{route=\"%s\",method=\"%s\",code=\"%s\"} %" PRIu64 "\n",
                        scrape->page.name, route_name(route), methods[method], text, number);
            }
    write_times(scrape, FAMILY_FIRST_BYTE, first->first_bytes);
    write_times(scrape, FAMILY_DURATION, first->durations);
    metrics_page_begin(&scrape->page, FAMILY_BYTES);
    for (size_t route = 0; route < ROUTES; route++)
        if (observed(scrape, &first->durations[route]))
            metrics_page_sample(&scrape->page, "route", route_name(route),
                                sum(scrape, &first->bytes[route]));
    metrics_page_number(&scrape->page, FAMILY_INFLIGHT, sum(scrape, &first->inflight));
}

static void write_connections(struct scrape *scrape)
{
    char number[24];

    metrics_page_begin(&scrape->page, FAMILY_CONNECTIONS);
    for (size_t i = 0; i < scrape->metrics->loops; i++) {
        snprintf(number, sizeof number, "%zu", i);
        metrics_page_sample(&scrape->page, "loop", number,
                            atomic_load_explicit(&scrape->metrics->slabs[i]->connections,
                                                 memory_order_relaxed));
    }
    metrics_page_begin(&scrape->page, FAMILY_REJECTED);
    for (size_t i = 0; i < METRICS_REJECT_COUNT; i++)
        metrics_page_sample(&scrape->page, "reason", reasons[i],
                            sum(scrape, &scrape->metrics->slabs[0]->rejected[i]));
}

static void write_cache(struct scrape *scrape, const struct metrics_gauges *gauges)
{
    metrics_page_begin(&scrape->page, FAMILY_CACHE);
    for (size_t i = 0; i < METRICS_CACHE_COUNT; i++)
        metrics_page_sample(&scrape->page, "result", cache_results[i],
                            sum(scrape, &scrape->metrics->slabs[0]->cache[i]));
    metrics_page_begin(&scrape->page, FAMILY_CACHE_FIRST_BYTE);
    histogram(scrape, "result", "hit", &scrape->metrics->slabs[0]->found[METRICS_KEPT]);
    histogram(scrape, "result", "miss", &scrape->metrics->slabs[0]->found[METRICS_MADE]);
    metrics_page_number(&scrape->page, FAMILY_CACHE_BYTES, gauges->cache_bytes);
    metrics_page_number(&scrape->page, FAMILY_CACHE_LENT, gauges->cache_lent);
    metrics_page_number(&scrape->page, FAMILY_CACHE_FILES, gauges->cache_files);
    metrics_page_number(&scrape->page, FAMILY_CACHE_ENTRIES, gauges->cache_entries);
    metrics_page_number(&scrape->page, FAMILY_CACHE_EVICTIONS, gauges->cache_evictions);
    metrics_page_begin(&scrape->page, FAMILY_INFLIGHT_BYTES);
    metrics_page_sample(&scrape->page, "use", "bodies", gauges->inflight_bodies);
    metrics_page_sample(&scrape->page, "use", "sending", gauges->inflight_sending);
    metrics_page_sample(&scrape->page, "use", "computing", gauges->inflight_computing);
    metrics_page_begin(&scrape->page, FAMILY_GZIP);
    metrics_page_sample(&scrape->page, "coding", "identity",
                        sum(scrape, &scrape->metrics->slabs[0]->identity));
    metrics_page_sample(&scrape->page, "coding", "gzip",
                        sum(scrape, &scrape->metrics->slabs[0]->gzip));
}

static void write_encodings(struct scrape *scrape)
{
    const struct metrics_slab *first = scrape->metrics->slabs[0];

    metrics_page_begin(&scrape->page, FAMILY_COMPUTE);
    for (size_t i = 0; i < pe_count(); i++)
        if (observed(scrape, &first->encodings[i].seconds))
            histogram(scrape, "encoding", pe_name(pe_at(i)), &first->encodings[i].seconds);
    metrics_page_begin(&scrape->page, FAMILY_ELEMENTS);
    for (size_t i = 0; i < pe_count(); i++)
        if (observed(scrape, &first->encodings[i].seconds))
            metrics_page_sample(&scrape->page, "encoding", pe_name(pe_at(i)),
                                sum(scrape, &first->encodings[i].elements));
    metrics_page_begin(&scrape->page, FAMILY_QUEUE);
    for (size_t i = 0; i < LANES; i++) /* both from the start: a rate needs a value before */
        histogram(scrape, "lane", lanes[i], &first->queued[i]);
    metrics_page_number(&scrape->page, FAMILY_OLD_NAMES, sum(scrape, &first->old_names));
}

void metrics_write(const struct metrics *metrics, const struct metrics_gauges *gauges,
                   struct buffer *out)
{
    struct scrape scrape = {.page = {.out = out}, .metrics = metrics};

    write_requests(&scrape);
    write_connections(&scrape);
    write_cache(&scrape, gauges);
    write_encodings(&scrape);
    metrics_page_number(&scrape.page, FAMILY_SHARED_TABLES, gauges->shared_tables);
    metrics_page_number(&scrape.page, FAMILY_SHARED_TABLE_BYTES, gauges->shared_table_bytes);
    metrics_page_number(&scrape.page, FAMILY_MODELS, gauges->models);
    metrics_page_number(&scrape.page, FAMILY_MODELS_BAD, gauges->models_bad);
    metrics_page_number(&scrape.page, FAMILY_MODEL_ERRORS, gauges->model_errors);
    metrics_page_number(&scrape.page, FAMILY_LEARNED_TABLES, gauges->learned_tables);
    metrics_page_number(&scrape.page, FAMILY_LEARNED_BYTES, gauges->learned_bytes);
    metrics_page_number(&scrape.page, FAMILY_LEARNED_BAD, gauges->learned_bad);
    metrics_page_number(&scrape.page, FAMILY_LEARNED_ERRORS, gauges->learned_errors);
    metrics_page_number(&scrape.page, FAMILY_SECRETS_BAD, gauges->secrets_bad);
    metrics_page_number(&scrape.page, FAMILY_SECRET_ERRORS, gauges->secret_errors);
    if (gauges->certificate_expires >= 0)
        metrics_page_number(&scrape.page, FAMILY_CERTIFICATE,
                            (uint64_t)gauges->certificate_expires);
    metrics_state_write(&scrape.page, gauges);
    metrics_page_number(&scrape.page, FAMILY_SHORTCUTS_OFF, gauges->shortcuts_off);
    metrics_page_number(&scrape.page, FAMILY_LOG_DROPPED, gauges->log_dropped);
    metrics_page_begin(&scrape.page, FAMILY_BUILD_INFO);
    buffer_add_format(
        out, "%s{version=\"%s\",libmicrohttpd=\"%s\",libuv=\"%s\",cpu_path=\"%s\"} 1\n",
        scrape.page.name, pe_version(), transport_version(), uv_version_string(),
        pe_cpu_path_name(pe_cpu_path()));
    process_metrics_write(out);
}
