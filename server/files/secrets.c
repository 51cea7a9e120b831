/* SPDX-License-Identifier: Apache-2.0
 * secrets.c - see secrets.h. The main thread reads the files, at start before other threads
 * run, and exchanges the set under a lock. Loops compare a version number before they take the
 * lock. */
#include "server/files/secrets.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/files/api_keys.h"
#include "server/files/certificate.h"
#include "server/files/inotify.h"
#include "server/files/load_errors.h"
#include "server/files/read_file.h"
#include "server/shared.h"
#include "server/sys/log.h"

/* A part is read together: one file, or the two of the certificate. */
enum part { CLIENTS, ADMIN, CERTIFICATE, PARTS };
enum { FILES = 5, WHY = 420, MINUTE_MS = 60000 };

static const char *const flags[PARTS] = {
    [CLIENTS] = "--api-keys-file",
    [ADMIN] = "--admin-token-file",
    [CERTIFICATE] = "--tls-cert, --tls-key",
};
static const struct load_events events = {"secret not read, the old one stays", "secrets read"};

struct secrets {
    struct service *service;
    struct inotify *watches[FILES];
    size_t watch_count;
    _Atomic unsigned version;
    uv_mutex_t lock; /* protects the fields below */
    struct secret_set now;
    char why[PARTS][WHY]; /* "": the part was read */
    uint64_t errors;
};

/* ---- reading ------------------------------------------------------------------------- */

/* bounds: NULL: the file has one token. */
static struct api_keys *read_keys(const char *path, const struct quota_bounds *bounds,
                                  char *why, size_t size)
{
    size_t len = 0;
    char *text = read_file_read(path, READ_FILE_MAX, &len, why, size), what[310];
    struct api_keys *keys = text ? api_keys_parse(text, len, bounds, what, sizeof what) : NULL;

    if (text && !keys)
        snprintf(why, size, "%.100s: %s", path, what);
    read_file_free(text, len);
    if (!keys || bounds || api_keys_count(keys) == 1)
        return keys;
    snprintf(why, size, "%.100s: must have one token", path);
    api_keys_drop(keys);
    return NULL;
}

/* Reads the clients' keys and finds the clients whom they name. */
static struct api_keys *read_clients(const struct config *config, char *why, size_t size)
{
    const struct quota_bounds bounds = {
        .inflight = config->max_connections,
        .work_ms = MINUTE_MS *
                   (config->threads + thread_pool_threads(config->workers, config->threads))};
    struct api_keys *keys = read_keys(config->api_keys_file, &bounds, why, size);

    if (!keys || config->peer == CONFIG_PEER_ADDRESS || !api_keys_find_keyless(keys))
        return keys;
    snprintf(
        why, size,
        "%.100s: line %u: address needs --peer=address: with --peer=connection all clients "
        "may have the address of one proxy",
        config->api_keys_file, api_keys_find_keyless(keys)->line);
    api_keys_drop(keys);
    return NULL;
}

static struct certificate_file read_pem(const char *path, bool *right, char *why, size_t size)
{
    struct certificate_file file = {.text = NULL};

    if (path && *right) {
        file.text = read_file_read(path, READ_FILE_MAX, &file.len, why, size);
        *right = file.text != NULL;
    }
    return file;
}

static struct certificate *read_certificate(const struct config *config, char *why, size_t size)
{
    bool right = true;
    struct certificate_file chain = read_pem(config->tls_cert, &right, why, size);
    struct certificate_file key = read_pem(config->tls_key, &right, why, size);
    struct certificate_file authorities = read_pem(config->tls_client_ca, &right, why, size);
    const char *ca = config->tls_client_ca ? config->tls_client_ca : "";
    struct certificate *certificate = NULL;
    char what[190];

    if (right) {
        certificate = certificate_new(chain, key, authorities, what, sizeof what);
        if (!certificate)
            snprintf(why, size, "%.60s, %.60s%s%.60s: %s", config->tls_cert, config->tls_key,
                     *ca ? ", " : "", ca, what);
    }
    read_file_free((char *)(uintptr_t)chain.text, chain.len);
    read_file_free((char *)(uintptr_t)key.text, key.len);
    read_file_free((char *)(uintptr_t)authorities.text, authorities.len);
    return certificate;
}

/* Reads every file that is named; a part that cannot be read stays NULL, with the reason. */
static void read_files(const struct config *config, struct secret_set *set,
                       char why[PARTS][WHY])
{
    memset(why, 0, PARTS * WHY);
    if (config->api_keys_file)
        set->clients = read_clients(config, why[CLIENTS], WHY);
    if (config->admin_token_file)
        set->admin = read_keys(config->admin_token_file, NULL, why[ADMIN], WHY);
    if (config->tls_cert)
        set->certificate = read_certificate(config, why[CERTIFICATE], WHY);
}

/* Drops the parts that are the same as those in use. */
static void drop_unchanged(const struct secret_set *now, struct secret_set *set)
{
    if (set->clients && now->clients && api_keys_equal(set->clients, now->clients)) {
        api_keys_drop(set->clients);
        set->clients = NULL;
    }
    if (set->admin && now->admin && api_keys_equal(set->admin, now->admin)) {
        api_keys_drop(set->admin);
        set->admin = NULL;
    }
    if (set->certificate && now->certificate &&
        certificate_equal(set->certificate, now->certificate)) {
        certificate_drop(set->certificate);
        set->certificate = NULL;
    }
}

/* Finds the clients whom new keys name. Without memory for that the old keys stay. */
static void bind_clients(struct service *service, struct secret_set *set, char why[PARTS][WHY])
{
    if (!set->clients || api_keys_bind(set->clients, service->clients))
        return;
    snprintf(why[CLIENTS], WHY, "%.100s: no memory", service->config.api_keys_file);
    api_keys_drop(set->clients);
    set->clients = NULL;
}

/* Replaces the parts that have changed; the others stay. Counts `fresh` errors. */
static void adopt(struct secrets *secrets, struct secret_set *set, char why[PARTS][WHY],
                  unsigned fresh)
{
    struct secret_set old;

    uv_mutex_lock(&secrets->lock);
    old = secrets->now;
    if (set->clients)
        secrets->now.clients = set->clients;
    if (set->admin)
        secrets->now.admin = set->admin;
    if (set->certificate)
        secrets->now.certificate = set->certificate;
    secrets->now.version++;
    memcpy(secrets->why, why, sizeof secrets->why);
    secrets->errors += fresh;
    uv_mutex_unlock(&secrets->lock);
    api_keys_drop(set->clients ? old.clients : NULL);
    api_keys_drop(set->admin ? old.admin : NULL);
    certificate_drop(set->certificate ? old.certificate : NULL);
    atomic_fetch_add(&secrets->version, 1);
}

/* Logs each part whose state is another than before, and returns how many errors are new. */
static unsigned log_changes(struct secrets *secrets, const struct secret_set *set,
                            char why[PARTS][WHY])
{
    const bool is_new[PARTS] = {set->clients != NULL, set->admin != NULL,
                                set->certificate != NULL};
    struct log *log = secrets->service->log;
    unsigned fresh = 0;

    for (size_t i = 0; i < PARTS; i++) {
        const char *before = secrets->why[i][0] ? secrets->why[i] : NULL;

        fresh +=
            load_errors_log_file(log, &events, flags[i], before, why[i][0] ? why[i] : NULL);
        if (is_new[i] && !before)
            log_event(log, LOG_INFO, events.over,
                      (struct log_field[]){{.name = "file", .text = flags[i]}, {0}});
    }
    return fresh;
}

void secrets_read(struct secrets *secrets)
{
    struct secret_set set = {0};
    char why[PARTS][WHY];

    if (secrets->watch_count == 0) /* the operator named no file */
        return;
    read_files(&secrets->service->config, &set, why);
    drop_unchanged(&secrets->now, &set); /* only this thread changes them */
    bind_clients(secrets->service, &set, why);
    adopt(secrets, &set, why, log_changes(secrets, &set, why));
}

/* ---- life ---------------------------------------------------------------------------- */

static void on_change(void *cls)
{
    secrets_read(cls);
}

static bool watch_all(struct secrets *secrets, uv_loop_t *uv)
{
    const struct config *config = &secrets->service->config;
    const char *const files[FILES] = {config->api_keys_file, config->admin_token_file,
                                      config->tls_cert, config->tls_key, config->tls_client_ca};

    for (size_t i = 0; i < FILES; i++) {
        bool watching = true;

        if (!files[i])
            continue;
        secrets->watches[secrets->watch_count] =
            inotify_file(uv, files[i], on_change, secrets, &watching);
        if (!secrets->watches[secrets->watch_count])
            return false;
        secrets->watch_count++;
        if (!watching)
            log_event(secrets->service->log, LOG_WARN,
                      "a file of secrets cannot be watched; send SIGHUP after a change", NULL);
    }
    return true;
}

struct secrets *secrets_new(struct service *service, uv_loop_t *uv, char *why, size_t size)
{
    struct secrets *secrets = calloc(1, sizeof *secrets);
    struct secret_set set = {0};
    char parts[PARTS][WHY];
    bool right = true;

    snprintf(why, size, "out of memory");
    if (!secrets || uv_mutex_init(&secrets->lock) != 0) {
        free(secrets);
        return NULL;
    }
    secrets->service = service;
    if (!watch_all(secrets, uv)) /* before reading, so that a change meanwhile is noticed */
        right = false;
    read_files(&service->config, &set, parts);
    bind_clients(service, &set, parts);
    adopt(secrets, &set, parts, 0);
    for (size_t i = 0; i < PARTS; i++) {
        if (!parts[i][0])
            continue;
        snprintf(why, size, "%s", parts[i]);
        right = false;
    }
    if (right)
        return secrets;
    secrets_stop(secrets);
    uv_run(uv, UV_RUN_NOWAIT);
    secrets_free(secrets);
    return NULL;
}

void secrets_stop(struct secrets *secrets)
{
    for (size_t i = 0; secrets && i < secrets->watch_count; i++)
        inotify_stop(secrets->watches[i]);
}

void secrets_free(struct secrets *secrets)
{
    if (!secrets)
        return;
    for (size_t i = 0; i < secrets->watch_count; i++)
        inotify_free(secrets->watches[i]);
    secrets_give_back(&secrets->now);
    uv_mutex_destroy(&secrets->lock);
    free(secrets);
}

/* ---- taking -------------------------------------------------------------------------- */

void secrets_take(struct secrets *secrets, struct secret_set *set)
{
    if (atomic_load_explicit(&secrets->version, memory_order_acquire) == set->version)
        return;
    secrets_give_back(set);
    uv_mutex_lock(&secrets->lock);
    *set = secrets->now;
    api_keys_share(set->clients);
    api_keys_share(set->admin);
    certificate_share(set->certificate);
    uv_mutex_unlock(&secrets->lock);
}

void secrets_give_back(struct secret_set *set)
{
    api_keys_drop(set->clients);
    api_keys_drop(set->admin);
    certificate_drop(set->certificate);
    *set = (struct secret_set){0};
}

/* ---- log lines ------------------------------------------------------------------------- */

struct secrets_stats secrets_stats(struct secrets *secrets)
{
    struct secrets_stats stats = {.certificate_expires = -1};

    uv_mutex_lock(&secrets->lock);
    stats.errors = secrets->errors;
    for (size_t i = 0; i < PARTS; i++)
        stats.bad += secrets->why[i][0] != '\0';
    if (secrets->now.certificate)
        stats.certificate_expires = (int64_t)certificate_expires(secrets->now.certificate);
    uv_mutex_unlock(&secrets->lock);
    return stats;
}

void secrets_write(struct secrets *secrets, struct buffer *out)
{
    uv_mutex_lock(&secrets->lock);
    for (size_t i = 0; i < PARTS; i++)
        if (secrets->why[i][0])
            buffer_add_format(out, "[-] secrets %s\n", secrets->why[i]);
    uv_mutex_unlock(&secrets->lock);
}
