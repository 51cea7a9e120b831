/* SPDX-License-Identifier: Apache-2.0
 * service.c - start and stop of the self-test, shared state, loops, listener and main loop, in
 * the order in which they start. */
#include "server/service.h"

#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "core/posenc.h"
#include "server/announcer.h"
#include "server/cache/cache.h"
#include "server/cache/table_cache.h"
#include "server/drain.h"
#include "server/files/model_files.h"
#include "server/files/secrets.h"
#include "server/files/table_files.h"
#include "server/handlers/routes.h"
#include "server/http/listener_kind.h"
#include "server/library_check.h"
#include "server/net/body_budget.h"
#include "server/net/inflight.h"
#include "server/net/listener.h"
#include "server/net/loop_thread.h"
#include "server/net/peers.h"
#include "server/quota/client_table.h"
#include "server/reload.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"
#include "server/sys/resources.h"
#include "server/sys/thread_pool.h"
#include "server/warm.h"

struct service_life {
    uv_loop_t uv;
    uv_async_t async; /* wakes the main loop for the three flags below */
    struct listener *listener;
    struct drain *drain;
    struct warm *warm;
    struct announcer *announcer;
    struct reload *reload;
    _Atomic bool drain_asked, stop_asked, reload_asked;
    _Atomic uint64_t delay_ms, timeout_ms;
    uv_thread_t thread; /* of service_start */
    bool ended;         /* the handles of the main loop are closed, or closing */
};

/* ---- shared by the loops ----------------------------------------------------------- */

void service_reload(struct service *service)
{
    atomic_fetch_add_explicit(&service->generation, 1, memory_order_release);
    atomic_store(&service->life->reload_asked, true);
    uv_async_send(&service->life->async);
}

void service_ready(struct service *service)
{
    int loading = SERVICE_LOADING;

    if (!atomic_compare_exchange_strong(&service->state, &loading, SERVICE_READY))
        return;
    log_event(service->log, LOG_INFO, "ready",
              (struct log_field[]){
                  {.name = "version", .text = pe_version()},
                  {.name = "loops", .number = (int64_t)service->config.threads},
                  {.name = "connections", .number = (int64_t)service->config.max_connections},
                  {0}});
    announcer_ready(service->life->announcer);
}

/* ---- start ------------------------------------------------------------------------- */

static bool fail(struct service_error *error, int exit_code, const char *text)
{
    error->exit_code = exit_code;
    snprintf(error->text, sizeof error->text, "%s", text);
    return false;
}

/* Connections beyond --max-connections; a guest's place may be taken twice for a moment. */
enum {
    EXTRA_CONNECTIONS = LISTENER_KIND_ADMIN_PLACES + 2 * LISTENER_KIND_GUEST_PLACES +
                        LISTENER_KIND_WAITING_PLACES
};

static bool start_shared(struct service *service, struct service_error *error)
{
    const struct config *config = &service->config;
    const size_t places = config->max_connections + EXTRA_CONNECTIONS;
    const uint64_t half = config->max_inflight / 2; /* for bodies */

    service->cache = cache_new(config->cache_size);
    if (service->cache) /* the rest is for responses that outlive their records */
        cache_allow_files(service->cache, config->spare_files / 2);
    service->table_cache = table_cache_new(config->shared_table_cache);
    service->metrics = metrics_new(config->threads);
    service->bodies =
        body_budget_new(half, config->max_body > half ? config->max_body : half,
                        (struct body_budget_source){inflight_try, inflight_release, service});
    service->peers =
        peers_new(places, config->max_per_address, config->peer == CONFIG_PEER_CONNECTION);
    service->clients = client_table_new(places);
    service->loops = calloc(config->threads, sizeof(struct loop *));
    if (!service->cache || !service->table_cache || !service->metrics || !service->loops ||
        !service->bodies || !service->peers || !service->clients ||
        !thread_pool_open_lanes(&service->lanes, config->workers, config->threads))
        return fail(error, 70, "out of memory");
    return true;
}

/* config_check has tried that the threads can be started, but another process may have taken
 * them. */
static bool start_loops(struct service *service, struct service_error *error)
{
    const struct config *config = &service->config;

    if (config->threads_short > 0)
        log_event(
            service->log, LOG_WARN, "fewer loops and workers: no more threads are allowed",
            (struct log_field[]){{.name = "loops", .number = (int64_t)config->threads},
                                 {.name = "workers", .number = (int64_t)config->workers},
                                 {.name = "short", .number = (int64_t)config->threads_short},
                                 {0}});
    while (service->loop_count < config->threads) {
        struct loop *loop = loop_thread_new(service, service->loop_count);

        if (!loop && resources_threads(1) == 0)
            return fail(error, 78, resources_no_thread);
        if (!loop)
            return fail(error, 70, "cannot start a loop: out of memory or descriptors");
        service->loops[service->loop_count++] = loop;
    }
    return true;
}

/* Closes the handles of the main loop, as far as they were opened. */
static void end_main_loop(struct service *service)
{
    struct service_life *life = service->life;

    atomic_store(&service->state, SERVICE_STOPPING);
    life->ended = true;
    if (life->listener)
        listener_stop(life->listener);
    if (life->drain)
        drain_stop(life->drain);
    announcer_stopping(life->announcer);
    announcer_stop(life->announcer);
    model_files_stop(service->models);
    table_files_stop(service->tables);
    secrets_stop(service->secrets);
    if (life->async.data)
        uv_close((uv_handle_t *)&life->async, NULL);
}

static void begin_drain(struct service *service)
{
    struct service_life *life = service->life;

    announcer_stopping(life->announcer);
    drain_begin(life->drain, atomic_load(&life->delay_ms), atomic_load(&life->timeout_ms));
}

static void on_async(uv_async_t *async)
{
    struct service *service = async->data;
    struct service_life *life = service->life;

    if (life->ended)
        return;
    if (atomic_load(&life->stop_asked))
        end_main_loop(service);
    else if (atomic_load(&life->drain_asked))
        begin_drain(service);
    if (!life->ended && atomic_exchange(&life->reload_asked, false))
        reload_begin(life->reload);
}

static bool start_main_loop(struct service *service, struct service_error *error)
{
    struct service_life *life = calloc(1, sizeof *life);

    if (!life || uv_loop_init(&life->uv) != 0) {
        free(life);
        return fail(error, 70, "cannot start the main loop: out of memory or descriptors");
    }
    life->announcer = announcer_new(service, &life->uv);
    if (!life->announcer) {
        uv_loop_close(&life->uv);
        free(life);
        return fail(error, 70, "out of memory");
    }
    service->life = life;
    life->listener = listener_new(service, &life->uv, error);
    if (!life->listener)
        return false;
    life->drain = drain_new(service, life->listener, &life->uv, end_main_loop);
    life->reload = reload_new(service, life->announcer);
    if (!life->drain || !life->reload || uv_async_init(&life->uv, &life->async, on_async) != 0)
        return fail(error, 70, "cannot start the main loop: out of memory or descriptors");
    life->async.data = service;
    return true;
}

static bool start_models(struct service *service, struct service_error *error)
{
    const char *dir = service->config.models_dir;
    char why[400];

    service->models = model_files_new(service, &service->life->uv, dir, why, sizeof why);
    return service->models || fail(error, dir ? 78 : 70, why);
}

static bool start_tables(struct service *service, struct service_error *error)
{
    const char *dir = service->config.learned_tables_dir;
    char why[480];

    service->tables = table_files_new(service, &service->life->uv, dir, why, sizeof why);
    return service->tables || fail(error, dir ? 78 : 70, why);
}

static bool start_secrets(struct service *service, struct service_error *error)
{
    const struct config *config = &service->config;
    char why[400];

    service->secrets = secrets_new(service, &service->life->uv, why, sizeof why);
    return service->secrets ||
           fail(error,
                config->api_keys_file || config->admin_token_file || config->tls_cert ? 78 : 70,
                why);
}

static void start_memory(struct service *service)
{
    struct service_memory *memory = &service->memory;
    const struct config *config = &service->config;

    pthread_mutex_init(&memory->measuring, NULL);
    cgroup_find(&memory->cgroup, config->cgroup_root, CGROUP_SELF);
    memory->limit = config_memory(config, memory->cgroup.limit);
}

/* Without --warm the service is ready now. */
static bool start_warming(struct service *service, struct service_error *error)
{
    char why[400];

    if (!service->config.warm) {
        service_ready(service);
        return true;
    }
    service->life->warm = warm_new(service, service_ready, why, sizeof why);
    if (service->life->warm)
        return true;
    error->exit_code = 78;
    snprintf(error->text, sizeof error->text, "--warm %s", why);
    return false;
}

struct service *service_new(const struct config *config, struct log *log,
                            struct service_error *error)
{
    struct service *service = calloc(1, sizeof *service);

    if (!service) {
        fail(error, 70, "out of memory");
        return NULL;
    }
    service->config = *config;
    service->log = log;
    service->routes = &routes;
    start_memory(service);
    if (!library_check(log, config->shortcuts_refused, &service->shortcuts, error->text,
                       sizeof error->text)) {
        error->exit_code = 70;
        goto failed;
    }
    if (!start_shared(service, error) || !start_main_loop(service, error) ||
        !start_secrets(service, error) || !start_models(service, error) ||
        !start_tables(service, error) || !start_loops(service, error))
        goto failed;
    listener_run(service->life->listener);
    if (!start_warming(service, error))
        goto failed;
    return service;

failed:
    service_free(service);
    return NULL;
}

unsigned service_port(const struct service *service, size_t i)
{
    return listener_port(service->life->listener, i);
}

/* ---- end --------------------------------------------------------------------------- */

void service_run(struct service *service)
{
    uv_run(&service->life->uv, UV_RUN_DEFAULT);
}

void service_drain(struct service *service, uint64_t delay_ms, uint64_t timeout_ms)
{
    struct service_life *life = service->life;

    atomic_store(&life->delay_ms, delay_ms);
    atomic_store(&life->timeout_ms, timeout_ms);
    atomic_store(&life->drain_asked, true);
    uv_async_send(&life->async);
}

void service_announce_to(struct service *service, const struct notify_socket *notify)
{
    announcer_begin(service->life->announcer, notify);
}

void service_stop_now(struct service *service)
{
    atomic_store(&service->life->stop_asked, true);
    uv_async_send(&service->life->async);
}

static void free_life(struct service_life *life)
{
    uv_loop_close(&life->uv);
    listener_free(life->listener);
    drain_free(life->drain);
    announcer_free(life->announcer);
    reload_free(life->reload);
    free(life);
}

void service_free(struct service *service)
{
    struct service_life *life = service ? service->life : NULL;

    if (!service)
        return;
    if (life && !life->ended) {
        end_main_loop(service);
        uv_run(&life->uv, UV_RUN_DEFAULT);
    }
    for (size_t i = 0; i < service->loop_count; i++)
        loop_thread_halt(service->loops[i]);
    if (life)
        warm_free(life->warm); /* the loops have closed its sockets */
    for (size_t i = 0; i < service->loop_count; i++)
        loop_thread_free(service->loops[i]);
    if (life)
        free_life(life);
    free(service->loops);
    thread_pool_close_lanes(&service->lanes);
    model_files_free(service->models);
    table_files_free(service->tables);
    secrets_free(service->secrets);
    client_table_free(service->clients);
    table_cache_free(service->table_cache);
    cache_free(service->cache);
    metrics_free(service->metrics);
    peers_free(service->peers);
    body_budget_free(service->bodies);
    pthread_mutex_destroy(&service->memory.measuring);
    free(service);
}

/* ---- in threads of its own --------------------------------------------------------- */

static void run(void *arg)
{
    service_run(arg);
}

struct service *service_start(const struct config *config, struct log *log,
                              struct service_error *error)
{
    struct service *service = service_new(config, log, error);

    if (!service)
        return NULL;
    if (uv_thread_create(&service->life->thread, run, service) == 0)
        return service;
    fail(error, 78, resources_no_thread);
    service_free(service);
    return NULL;
}

void service_stop(struct service *service)
{
    service_stop_now(service);
    uv_thread_join(&service->life->thread);
    service_free(service);
}
