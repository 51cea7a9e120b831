/* SPDX-License-Identifier: Apache-2.0
 * metrics.h - counters and histograms, and their page (/metrics). Each loop writes its own slab
 * without locks (relaxed atomics); a scrape sums the slabs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/endpoint.h"
#include "proto/text/buffer.h"
#include "server/sys/metrics_gauges.h"

struct metrics;
struct metrics_slab; /* written by one thread only */

enum metrics_cache {
#define CACHE_RESULT(ID, NAME) METRICS_##ID,
#include "server/sys/metrics.def"
    METRICS_CACHE_COUNT
};
enum metrics_reject {
#define REJECT_REASON(ID, NAME) METRICS_REJECT_##ID,
#include "server/sys/metrics.def"
    METRICS_REJECT_COUNT
};

/* One slab for each loop and, last, one for the main thread. NULL: out of memory. */
struct metrics *metrics_new(size_t loops);
void metrics_free(struct metrics *metrics);
struct metrics_slab *metrics_slab(struct metrics *metrics, size_t i); /* i <= loops */

/* Where the answer of an encoding came from; METRICS_NOT_ASKED: the cache was not asked, or the
 * request was refused. */
enum metrics_found { METRICS_NOT_ASKED, METRICS_KEPT, METRICS_MADE, METRICS_FOUND_COUNT };

/* A request that is over. */
struct metrics_request {
    enum metrics_found found;
    enum endpoint_id endpoint; /* ENDPOINT_NONE for 404 */
    unsigned method, status;
    uint64_t first_byte_ns, last_byte_ns; /* from the first handler call */
    uint64_t bytes;                       /* of the response */
};

void metrics_request(struct metrics_slab *slab, const struct metrics_request *request);
void metrics_cache(struct metrics_slab *slab, enum metrics_cache result);
void metrics_reject(struct metrics_slab *slab, enum metrics_reject reason);
const char *metrics_reject_name(enum metrics_reject reason);
/* Counts a computation of the encoding (index in the registry): time and elements. */
void metrics_compute(struct metrics_slab *slab, size_t encoding, uint64_t ns,
                     uint64_t elements);
/* Work waited so long for a thread of the lane of quick or of expensive tasks. */
void metrics_queued(struct metrics_slab *slab, bool expensive, uint64_t ns);
/* An answer was compressed. */
void metrics_compressed(struct metrics_slab *slab, uint64_t identity, uint64_t gzip);
void metrics_old_names(struct metrics_slab *slab); /* a request used old names of parameters */
void metrics_inflight(struct metrics_slab *slab, int64_t delta); /* requests in progress */
void metrics_connections(struct metrics_slab *slab,
                         int64_t delta); /* open connections of the loop */

void metrics_write(const struct metrics *metrics, const struct metrics_gauges *gauges,
                   struct buffer *out);
