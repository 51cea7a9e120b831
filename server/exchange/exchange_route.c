/* SPDX-License-Identifier: Apache-2.0
 * exchange_route.c - the first steps of a request, target and route, find its endpoint and
 * check that this client may ask for it on this kind of listener. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "proto/http/sentences.h"
#include "proto/inference/inference_path.h"
#include "server/exchange/auth.h"
#include "server/exchange/response.h"
#include "server/files/secrets.h"
#include "server/http/head.h"

static enum next step_route(struct exchange *ex);

/* Below /v2 a path may have slashes where the names of models have dots. */
static enum next fail_no_inference(struct exchange *ex)
{
    char dotted[INFERENCE_PATH_NAME_SIZE];
    const char *name = inference_path_suggest(ex->target.path, ex->target.path_len, dotted);

    return exchange_fail(ex, PROBLEM_NOT_FOUND, "there is nothing at %.*s; %s%s",
                         exchange_path_shown(ex), ex->target.path,
                         name ? "names of models have dots: "
                              : "GET /v2/models lists the models",
                         name ? name : "");
}

static enum next fail_nothing_there(struct exchange *ex)
{
    char near[128];
    const char *suggestion = endpoint_suggest(ex->target.path, ex->target.path_len, near);

    if (ex->connection->listener_kind == LISTENER_KIND_ADMIN)
        return exchange_fail(ex, PROBLEM_NOT_FOUND,
                             "there is nothing at %.*s of this address, which is for health, "
                             "/metrics and changes of tables",
                             exchange_path_shown(ex), ex->target.path);
    if (inference_path_is(ex->target.path, ex->target.path_len, NULL))
        return fail_no_inference(ex);
    return exchange_fail(ex, PROBLEM_NOT_FOUND, SENTENCE_NOTHING_THERE, exchange_path_shown(ex),
                         ex->target.path, suggestion ? "; did you mean " : "; see ",
                         ex->target.base, suggestion ? suggestion : "/v1/encodings",
                         suggestion ? "?" : "");
}

/* Moves past --path-prefix; false: the path is not below it. */
static bool strip_prefix(struct exchange_target *target)
{
    size_t len = strlen(target->base);

    if (target->path_len < len || memcmp(target->path, target->base, len) != 0 ||
        (target->path_len > len && target->path[len] != '/'))
        return false;
    target->path = target->path_len > len ? target->path + len : "/";
    target->path_len = target->path_len > len ? target->path_len - len : 1;
    return true;
}

static enum next step_target(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    struct exchange_target *target = &ex->target;
    const char *prefix = exchange_service(ex)->config.path_prefix;

    target->base = prefix && ex->connection->listener_kind != LISTENER_KIND_ADMIN ? prefix : "";
    target->path = head->target;
    target->path_len = head->path_len;
    if (head->path_len < head->target_len) {
        target->query = head->target + head->path_len + 1;
        target->query_len = head->target_len - head->path_len - 1;
    }
    if (memchr(head->target, '%', head->path_len)) {
        target->decoded = head_decode_path(head->target, head->path_len, &target->path_len);
        target->path = target->decoded;
    }
    ex->step = step_route;
    return target->path ? MORE : exchange_fail_status(ex, PE_NO_MEMORY);
}

/* With --ui=off there are no pages for people. With --admin-listen the operator's endpoints are
 * served on its listeners only, and these listeners serve nothing else but health. */
static bool is_served_here(const struct exchange *ex)
{
    const struct config *config = &exchange_service(ex)->config;
    unsigned access = ex->target.endpoint->access, changes = METHOD_PUT | METHOD_DELETE;
    bool operators = (access & ENDPOINT_OPERATOR) != 0 ||
                     ((unsigned)exchange_head(ex)->method & changes) != 0;

    if (!config->ui && (access & ENDPOINT_PAGE))
        return false;
    if (ex->connection->listener_kind == LISTENER_KIND_ADMIN)
        return operators || (access & ENDPOINT_OPEN) != 0;
    return config->admin_listen.count == 0 || !operators;
}

/* A health prober, and a scraper of --admin-listen, may know only the address of a container;
 * --allowed-host is about the names that clients use. */
static bool is_asked_by_name(const struct exchange *ex)
{
    const struct config_list *names = &exchange_service(ex)->config.allowed_hosts;
    const char *host = exchange_head(ex)->host;
    enum listener_kind listener_kind = ex->connection->listener_kind;
    size_t len;

    if (names->count == 0 || listener_kind == LISTENER_KIND_ADMIN ||
        listener_kind == LISTENER_KIND_INTERNAL ||
        (ex->target.endpoint && (ex->target.endpoint->access & ENDPOINT_OPEN)))
        return true;
    len = host ? head_host_name_len(host, strlen(host)) : 0;
    for (size_t i = 0; i < names->count; i++)
        if (strlen(names->item[i]) == len && strncasecmp(names->item[i], host, len) == 0)
            return true;
    return false;
}

static enum next fail_misdirected(struct exchange *ex)
{
    const char *host = exchange_head(ex)->host;

    access_log_reject(ex, METRICS_REJECT_HOST);
    if (!host)
        return exchange_fail(
            ex, PROBLEM_MISDIRECTED,
            "the Host header is missing; it must be one of the names that this "
            "server answers to (--allowed-host)");
    return exchange_fail(ex, PROBLEM_MISDIRECTED,
                         "the Host %.100s is not one of the names that this server answers "
                         "to (--allowed-host)",
                         host);
}

/* A connection that was admitted though all places are taken may ask for nothing but health. */
static enum next fail_connection_limit(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_CONNECTIONS);
    return exchange_fail(ex, PROBLEM_OVERLOADED, "too many connections; try again");
}

static exchange_step *first_step(const struct exchange *ex)
{
    const struct exchange_routes *routes = exchange_service(ex)->routes;
    exchange_step *first = routes->first_step[ex->target.endpoint->id];

    return first ? first : routes->document;
}

/* A document that was asked for before is a ready-made response of this loop. */
static enum next step_document(struct exchange *ex)
{
    ex->step = first_step(ex);
    return cached_try(ex);
}

static enum next step_route(struct exchange *ex)
{
    enum endpoint_method method = exchange_head(ex)->method;
    bool of_all = method == METHOD_OPTIONS && strcmp(ex->target.path, "*") == 0;

    if (of_all)
        ex->target.endpoint = endpoint_at(ENDPOINT_ENCODING); /* it has every method */
    else if (*ex->target.base == '\0' || strip_prefix(&ex->target))
        ex->target.endpoint = endpoint_find(ex->target.path, ex->target.path_len,
                                            &ex->target.segment, &ex->target.segment_len);
    if (ex->target.endpoint && !of_all && !is_served_here(ex))
        ex->target.endpoint = NULL;
    if (listener_kind_is_guest(ex->connection->listener_kind) &&
        (!ex->target.endpoint || !endpoint_is_vital(ex->target.endpoint)))
        return fail_connection_limit(ex);
    if (!is_asked_by_name(ex))
        return fail_misdirected(ex);
    if (loop_secrets(ex->state->loop)->clients && !auth_admits(ex))
        return MORE;
    if (!ex->target.endpoint)
        return fail_nothing_there(ex);
    if (method == METHOD_OPTIONS)
        ex->step = response_options;
    else if (!(ex->target.endpoint->methods & (unsigned)method))
        return exchange_fail(ex, PROBLEM_METHOD_NOT_ALLOWED, SENTENCE_NO_METHOD,
                             ex->target.endpoint->path);
    else
        ex->step =
            ex->target.endpoint->work == ENDPOINT_DOCUMENT ? step_document : first_step(ex);
    return MORE;
}

void exchange_start(struct exchange *ex)
{
    ex->step = step_target;
}

void exchange_locate(struct exchange *ex)
{
    while (ex->step == step_target || ex->step == step_route)
        ex->step(ex);
}
