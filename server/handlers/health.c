/* SPDX-License-Identifier: Apache-2.0
 * health.c - see health.h. */
#include "server/handlers/health.h"

#include <stdlib.h>
#include <string.h>

#include "proto/http/gzip.h"
#include "proto/text/buffer.h"
#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/exchange/compress.h"
#include "server/exchange/response.h"
#include "server/files/model_files.h"
#include "server/files/secrets.h"
#include "server/files/table_files.h"
#include "server/http/transport.h"
#include "server/net/inflight.h"
#include "server/quota/client_table.h"

#define METRICS_OPERATIONS 0.5e6 /* to write the page of metrics */

/* Queues the text, which is emptied. */
static enum next answer_text(struct exchange *ex, unsigned status, const char *type,
                             struct buffer *text, struct reservation *reservation)
{
    enum content_coding coding = CONTENT_CODING_IDENTITY;
    size_t len = 0, compressed_len;
    char *bytes = buffer_take(text, &len), *compressed;

    if (bytes && compress_suits_page(ex, len) &&
        reservation_take(reservation, gzip_bound(len)) &&
        compress_page(ex, bytes, len, &compressed, &compressed_len)) {
        free(bytes);
        bytes = compressed;
        len = compressed_len;
        coding = CONTENT_CODING_GZIP;
    }
    return response_queue_fresh(ex, status, type, coding,
                                response_of_bytes(ex, bytes, len, reservation));
}

/* Every loop has had a heartbeat lately; *text gets a line for each loop. */
static bool loops_alive(const struct exchange *ex, struct buffer *text)
{
    const struct service *service = exchange_service(ex);
    uint64_t now = loop_now_ms(ex->state->loop);
    bool alive = true;

    for (size_t i = 0; i < service->loop_count; i++) {
        bool ok = service->loops[i] == ex->state->loop || loop_is_alive(service->loops[i], now);

        buffer_add_format(text, "[%c] loop %zu\n", ok ? '+' : '-', i);
        alive = alive && ok;
    }
    return alive;
}

bool health_is_live(const struct exchange *ex)
{
    struct buffer checks = {0};
    bool alive = loops_alive(ex, &checks);

    buffer_fini(&checks);
    return alive;
}

bool health_is_ready(const struct exchange *ex)
{
    return service_state(exchange_service(ex)) == SERVICE_READY;
}

static bool verbose(const struct exchange *ex)
{
    static const char word[] = "verbose";

    return ex->target.query && strncmp(ex->target.query, word, sizeof word - 1) == 0;
}

/* Queues a line, or with ?verbose one for each check and then that line. The line alone, which
 * probes ask for, is a part of the program. */
static enum next answer_health(struct exchange *ex, bool ok, const char *line,
                               struct buffer *checks)
{
    static const char type[] = "text/plain; charset=utf-8";
    struct reservation reservation = reservation_of_problem(exchange_service(ex));
    struct buffer text = {.budget = &reservation.budget};
    const bool alone = !verbose(ex) || !checks->bytes;
    const size_t len = strlen(line);

    if (!alone)
        buffer_add(&text, checks->bytes, checks->len);
    buffer_fini(checks);
    if (alone && !compress_suits_page(ex, len))
        return response_queue_fresh(ex, ok ? 200 : 503, type, CONTENT_CODING_IDENTITY,
                                    response_of_program(line, len));
    buffer_add_text(&text, line);
    return answer_text(ex, ok ? 200 : 503, type, &text, &reservation);
}

enum next health_live(struct exchange *ex)
{
    struct buffer checks = {0};
    bool alive = loops_alive(ex, &checks);

    return answer_health(ex, alive, alive ? "ok\n" : "a loop is stuck\n", &checks);
}

enum next health_ready(struct exchange *ex)
{
    static const char *const words[] = {
        [SERVICE_LOADING] = "loading\n",
        [SERVICE_READY] = "ok\n",
        [SERVICE_DRAINING] = "draining\n",
        [SERVICE_STOPPING] = "stopping\n",
    };
    enum service_state state = service_state(exchange_service(ex));
    struct buffer checks = {0};
    bool alive = loops_alive(ex, &checks), ready = state == SERVICE_READY;

    buffer_add_format(&checks, "[%c] state %s", ready ? '+' : '-',
                      ready ? "ready\n" : words[state]);
    model_files_write(exchange_service(ex)->models,
                      &checks); /* reported, but the service is ready */
    table_files_write(exchange_service(ex)->tables, &checks);
    secrets_write(exchange_service(ex)->secrets, &checks);
    return answer_health(ex, alive && ready,
                         ready && !alive ? "a loop is stuck\n" : words[state], &checks);
}

enum next health_metrics(struct exchange *ex)
{
    if (!exchange_may_work(ex, METRICS_OPERATIONS))
        return YIELD;

    struct service *service = exchange_service(ex);
    struct cache_stats cache = cache_stats(service->cache);
    struct table_cache_stats table_cache = table_cache_stats(service->table_cache);
    struct model_files_stats models = model_files_stats(service->models);
    struct table_files_stats tables = table_files_stats(service->tables);
    struct secrets_stats secrets = secrets_stats(service->secrets);
    struct metrics_gauges gauges = {
        .write_clients = service->config.api_keys_file ? client_table_write : NULL,
        .clients = service->clients,
        .cache_bytes = cache.bytes,
        .cache_lent = cache.lent,
        .cache_files = cache_file_bytes(service->cache),
        .cache_entries = cache.entries,
        .cache_evictions = cache.evictions,
        .shared_tables = table_cache.tables,
        .shared_table_bytes = table_cache.bytes,
        .models = models.models,
        .models_bad = models.bad,
        .model_errors = models.errors,
        .learned_tables = tables.tables,
        .learned_bytes = tables.bytes,
        .learned_bad = tables.bad,
        .learned_errors = tables.errors,
        .secrets_bad = secrets.bad,
        .secret_errors = secrets.errors,
        .certificate_expires = secrets.certificate_expires,
        .log_dropped = log_dropped(service->log),
        .ready = health_is_ready(ex),
        .draining = service_state(service) >= SERVICE_DRAINING,
        .overload_level = (unsigned)atomic_load(&service->overload_level),
        .shortcuts_off = transport_shortcuts_off(service->shortcuts),
        .max_connections = service->config.max_connections,
        .max_inflight = service->config.max_inflight,
        .cache_size = service->config.cache_size,
        .max_body = service->config.max_body,
        .max_elements = service->config.max_elements,
        .own_used = atomic_load(&service->memory.own_used),
        .group_used = atomic_load(&service->memory.group_used),
        .own_limit = atomic_load(&service->memory.limit),
        .group_limit = service->memory.cgroup.limit,
    };
    struct reservation reservation = reservation_of_metrics(service);
    struct buffer text = {.budget = &reservation.budget};

    inflight_shares(service, &gauges.inflight_bodies, &gauges.inflight_sending,
                    &gauges.inflight_computing);
    metrics_write(service->metrics, &gauges, &text);
    return answer_text(ex, 200, "text/plain; version=0.0.4; charset=utf-8", &text,
                       &reservation);
}
