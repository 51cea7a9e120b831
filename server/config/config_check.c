/* SPDX-License-Identifier: Apache-2.0
 * config_check.c - the rules between values. Values that the operator gave must fit together
 * and into the machine, or the service does not start; defaults are reduced to fit. */
#include <inttypes.h>
#include <string.h>

#include "core/posenc.h"
#include "server/config/config.h"
#include "server/http/listener_kind.h"
#include "server/sys/cgroup.h"
#include "server/sys/resources.h"
#include "server/sys/thread_pool.h"

/* The process with empty caches takes half of this; with less memory it would refuse every
 * request (overload_update). */
#define LEAST_MEMORY (UINT64_C(16) << 20)
/* The bytes that an idle connection takes; by default all connections may take one part in
 * CONNECTIONS_SHARE of the memory. */
enum { CONNECTION_BYTES = 18 << 10, TLS_CONNECTION_BYTES = 32 << 10, CONNECTIONS_SHARE = 8 };
/* Descriptors besides connections: a few a loop (epolls, eventfd, pipe) and for the process. */
enum { FILES_A_LOOP = 10, FILES_OF_THE_PROCESS = 24 };
/* Descriptors for bodies in files of memory, where the limit leaves them. */
enum { SPARE_FILES = 8192 };

static bool is_default(const struct config *config, enum config_id id)
{
    return config->source[id] == CONFIG_DEFAULT;
}

/* The threads of loops and of the pool, that of libuv, the one that waits for signals, and that
 * of --warm. */
static uint64_t threads_of(const struct config *config, uint64_t loops, uint64_t workers)
{
    return loops + thread_pool_threads(workers, loops) + (config->warm ? 3 : 2);
}

/* Reduces loops and workers that the operator did not ask for to as many threads as can be
 * started: libuv aborts if it cannot start one of its pool. */
static enum config_status check_threads(struct config *config, struct config_error *error)
{
    bool any_loops = config->threads == 0 || is_default(config, CONFIG_THREADS);
    bool any_workers = config->workers == 0 || is_default(config, CONFIG_WORKERS);
    uint64_t loops = config->threads, workers = config->workers, wanted, found;

    if (loops == 0)
        loops = resources_cores() < 256 ? resources_cores() : 256;
    if (workers == 0)
        workers = loops;
    config->threads = loops;
    config->workers = workers;
    wanted = threads_of(config, loops, workers);
    found = resources_threads(wanted);
    while (threads_of(config, loops, workers) > found) {
        if (any_loops && loops > 1 && (loops >= workers || !any_workers))
            loops--;
        else if (any_workers && workers > 1)
            workers--;
        else
            return config_fail(
                error, CONFIG_INVALID,
                "--threads %" PRIu64 " and --workers %" PRIu64 " make %" PRIu64
                " threads; RLIMIT_NPROC, the cgroup's pids.max and address space for stacks "
                "allow %" PRIu64,
                config->threads, config->workers, wanted, found);
    }
    config->threads = loops;
    config->workers = workers;
    config->threads_short = wanted - found;
    return CONFIG_OK;
}

static enum config_status check_descriptors(struct config *config, struct config_error *error)
{
    uint64_t reserved = FILES_OF_THE_PROCESS + FILES_A_LOOP * config->threads +
                        config->listen.count + config->admin_listen.count +
                        (config->admin_listen.count ? LISTENER_KIND_ADMIN_PLACES : 0) +
                        LISTENER_KIND_WAITING_PLACES + LISTENER_KIND_GUEST_PLACES;
    uint64_t needed = config->max_connections + reserved;
    uint64_t files = resources_open_files(needed + SPARE_FILES);

    config->spare_files = files < needed ? 0 : files - needed;
    if (config->spare_files > SPARE_FILES)
        config->spare_files = SPARE_FILES;
    if (needed <= files)
        return CONFIG_OK;
    if (!is_default(config, CONFIG_MAX_CONNECTIONS) || files <= reserved)
        return config_fail(error, CONFIG_INVALID,
                           "--max-connections %" PRIu64 " needs %" PRIu64
                           " descriptors; RLIMIT_NOFILE allows %" PRIu64,
                           config->max_connections, config->max_connections + reserved, files);
    config->max_connections = files - reserved;
    return CONFIG_OK;
}

static enum config_status check_per_address(struct config *config, struct config_error *error)
{
    if (config->max_per_address > 0 && config->peer == CONFIG_PEER_CONNECTION)
        return config_fail(error, CONFIG_INVALID,
                           "--max-connections-per-address needs --peer=address: behind a proxy "
                           "all clients have one address");
    if (config->max_per_address <= config->max_connections)
        return CONFIG_OK;
    return config_fail(
        error, CONFIG_INVALID,
        "--max-connections-per-address must not be above --max-connections, here "
        "%" PRIu64 ": it would never be reached",
        config->max_connections);
}

uint64_t config_memory(const struct config *config, uint64_t cgroup_limit)
{
    return config->max_memory && config->max_memory < cgroup_limit ? config->max_memory
                                                                   : cgroup_limit;
}

/* Reduces defaults to a share of the memory; all budgets together may take 80 % of it. */
static enum config_status check_memory(struct config *config, struct config_error *error)
{
    const struct {
        enum config_id id;
        uint64_t *bytes;
        uint64_t share;
    } budgets[] = {
        {CONFIG_CACHE_SIZE, &config->cache_size, 4},
        {CONFIG_MAX_INFLIGHT, &config->max_inflight, 4},
        {CONFIG_SHARED_TABLE_CACHE, &config->shared_table_cache, 16},
        {CONFIG_LEARNED_TABLES_MEMORY, &config->learned_tables_memory, 8},
    };
    uint64_t each = config->tls_cert ? TLS_CONNECTION_BYTES : CONNECTION_BYTES;
    struct cgroup cgroup;
    uint64_t memory, sum;

    cgroup_find(&cgroup, config->cgroup_root, CGROUP_SELF);
    memory = config_memory(config, cgroup.limit);
    if (memory == UINT64_MAX)
        return CONFIG_OK;
    if (memory < LEAST_MEMORY)
        return config_fail(error, CONFIG_INVALID,
                           "--max-memory or the cgroup allows %" PRIu64
                           " KiB; posencd needs at least %" PRIu64 " MiB",
                           memory >> 10, LEAST_MEMORY >> 20);
    if (is_default(config, CONFIG_MAX_CONNECTIONS) &&
        config->max_connections > memory / CONNECTIONS_SHARE / each)
        config->max_connections = memory / CONNECTIONS_SHARE / each;
    sum = config->max_connections * each;
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        if (is_default(config, budgets[i].id) && *budgets[i].bytes > memory / budgets[i].share)
            *budgets[i].bytes = memory / budgets[i].share;
        if (budgets[i].id != CONFIG_LEARNED_TABLES_MEMORY || config->learned_tables_dir)
            sum += *budgets[i].bytes;
    }
    if (sum > memory / 5 * 4)
        return config_fail(error, CONFIG_INVALID,
                           "--cache-size, --max-inflight, --shared-table-cache, "
                           "--learned-tables-memory and %" PRIu64
                           " KiB for each of --max-connections add up to %" PRIu64
                           " MiB; at most 80 %% of the %" PRIu64
                           " MiB that --max-memory or the cgroup allows may be given out",
                           each >> 10, sum >> 20, memory >> 20);
    return CONFIG_OK;
}

static enum config_status check_cpu_path(struct config *config, struct config_error *error)
{
    size_t path = (size_t)config->cpu_path;

    if (path == 0 || (path <= pe_cpu_path_count() && pe_cpu_path_available(path - 1)))
        return CONFIG_OK;
    return config_fail(error, CONFIG_INVALID,
                       "--cpu-path: this processor, or this build, does not have %s",
                       path <= pe_cpu_path_count() ? pe_cpu_path_name(path - 1) : "that path");
}

/* "/a/b": segments of letters, digits and -._~, no slash at the end. */
static enum config_status check_prefix(struct config *config, struct config_error *error)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                  "0123456789-._~/";
    const char *prefix = config->path_prefix;
    size_t len = prefix ? strlen(prefix) : 0;

    if (!prefix || (prefix[0] == '/' && len > 1 && len < CONFIG_PREFIX_MAX &&
                    prefix[len - 1] != '/' && prefix[strspn(prefix, allowed)] == '\0' &&
                    !strstr(prefix, "//") && !strstr(prefix, "/.")))
        return CONFIG_OK;
    return config_fail(
        error, CONFIG_INVALID,
        "--path-prefix must be a path such as /posenc, without a slash at its end");
}

/* Flags that need one another. */
static enum config_status check_files(struct config *config, struct config_error *error)
{
    if (config->listen.count == 0)
        return config_fail(error, CONFIG_INVALID, "--listen must name at least one address");
    if (!config->tls_cert != !config->tls_key)
        return config_fail(error, CONFIG_INVALID,
                           "--tls-cert and --tls-key must be given together");
    if (config->tls_client_ca && (!config->tls_cert || !config->api_keys_file))
        return config_fail(error, CONFIG_INVALID,
                           "--tls-client-ca needs --tls-cert, and --api-keys-file, whose rows "
                           "name the clients");
    if (config->cache_public && !config->api_keys_file)
        return config_fail(error, CONFIG_INVALID,
                           "--cache-public needs --api-keys-file: without keys answers are "
                           "public anyway");
    return CONFIG_OK;
}

static enum config_status check_origins(struct config *config, struct config_error *error)
{
    const struct config_list *origins = &config->cors_origins;
    bool anybody = false;

    for (size_t i = 0; i < origins->count; i++)
        anybody |= strcmp(origins->item[i], "*") == 0;
    if (anybody && origins->count > 1)
        return config_fail(error, CONFIG_INVALID,
                           "--cors-origin * stands for all others and must be given alone");
    if (anybody && config->api_keys_file)
        return config_fail(error, CONFIG_INVALID,
                           "--cors-origin * does not go with --api-keys-file: name the origins "
                           "whose pages may send keys");
    return CONFIG_OK;
}

static enum config_status check_text(struct config *config, struct config_error *error)
{
    if (config->max_text_elements <= config->max_elements)
        return CONFIG_OK;
    if (!is_default(config, CONFIG_MAX_TEXT_ELEMENTS))
        return config_fail(error, CONFIG_INVALID,
                           "--max-text-elements must not be above --max-elements");
    config->max_text_elements = config->max_elements;
    return CONFIG_OK;
}

static enum config_status check_body(struct config *config, struct config_error *error)
{
    if (config->max_body <= config->max_inflight)
        return CONFIG_OK;
    if (!is_default(config, CONFIG_MAX_BODY))
        return config_fail(error, CONFIG_INVALID,
                           "--max-body must not be above --max-inflight: such a body could "
                           "never be accepted");
    config->max_body = config->max_inflight;
    return CONFIG_OK;
}

enum config_status config_check(struct config *config, struct config_error *error)
{
    static enum config_status (*const checks[])(struct config *, struct config_error *) = {
        check_text,        check_threads,  check_memory, check_body,  check_descriptors,
        check_per_address, check_cpu_path, check_prefix, check_files, check_origins};
    enum config_status status = CONFIG_OK;

    error->text[0] = '\0';
    for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](config, error);
    return status;
}
