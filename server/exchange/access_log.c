/* SPDX-License-Identifier: Apache-2.0
 * access_log.c - see access_log.h. Nothing that the client sent is logged but its target,
 * method, request id and trace id, which log.c escapes and cuts; of its key there is the name.
 * X-Forwarded-For is not read, since every client can write it. */
#include "server/exchange/access_log.h"

#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <uv.h>

#include "server/config/access_field.h"
#include "server/exchange/auth.h"
#include "server/files/api_keys.h"
#include "server/files/secrets.h"
#include "server/http/head.h"
#include "server/http/traceparent.h"
#include "server/http/transport.h"
#include "server/quota/client.h"

/* A line while it is made, with the texts of its fields. */
struct line {
    struct exchange *ex;
    uint64_t ns;
    bool sent;
    char target[HEAD_TARGET_MAX + 1], address[INET6_ADDRSTRLEN];
    struct traceparent parent;
    char key[API_KEYS_NAME_MAX + 1];
};

static bool wanted(const struct exchange *ex)
{
    const struct service *service = exchange_service(ex);
    int which = service->config.access_log;

    return (which == CONFIG_ACCESS_ALL ||
            (which == CONFIG_ACCESS_ERRORS &&
             (ex->response.status == 0 || ex->response.status >= 400))) &&
           log_wants(service->log, LOG_INFO);
}

/* Where keys are in use, a key may come in the query by mistake, or in the path of a request
 * without a valid key: so the query is not logged then, and of a 401 only the endpoint is. */
static const char *target_of(const struct exchange *ex, char text[HEAD_TARGET_MAX + 1])
{
    const struct head *head = exchange_head(ex);

    if (!head->target)
        return "?";
    if (!loop_secrets(ex->state->loop)->clients)
        return head->target;
    if (ex->response.status == 401)
        return ex->target.endpoint ? ex->target.endpoint->path : "?";
    memcpy(text, head->target, head->path_len);
    text[head->path_len] = '\0';
    return text;
}

/* ---- fields ------------------------------------------------------------------------------ *
 * put_NAME writes the field of that name of access_fields.def. False: the line has no such
 * field. */

static bool put_address(struct line *line, struct log_field *field)
{
    static const unsigned char mapped[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    const struct sockaddr *address = transport_address(line->ex->connection->wire);
    const void *bytes = NULL;
    int family = address ? address->sa_family : AF_UNIX;

    if (family == AF_INET)
        bytes = &((const struct sockaddr_in *)(const void *)address)->sin_addr;
    else if (family == AF_INET6)
        bytes = &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr;
    if (family == AF_INET6 && memcmp(bytes, mapped, sizeof mapped) == 0) {
        family = AF_INET; /* of a socket that accepts both */
        bytes = (const char *)bytes + sizeof mapped;
    }
    field->text = "unix";
    if (bytes && uv_inet_ntop(family, bytes, line->address, sizeof line->address) == 0)
        field->text = line->address;
    return true;
}

static bool put_key(struct line *line, struct log_field *field)
{
    struct client *client = line->ex->client.client;
    const struct secret_set *secrets = loop_secrets(line->ex->state->loop);
    const char *token = auth_token(line->ex);
    const struct api_key *key = secrets->clients && *token
                                    ? api_keys_find(secrets->clients, token, strlen(token))
                                    : NULL;

    if (client && client_is_address(client))
        return false;
    if (!client && !key && !auth_is_admin(line->ex))
        return false;
    if (client)
        client_copy_label(client, line->key);
    else if (!key)
        snprintf(line->key, sizeof line->key, "admin token");
    else if (!*key->name)
        snprintf(line->key, sizeof line->key, "line %u", key->line);
    else
        snprintf(line->key, sizeof line->key, "%s", key->name);
    field->text = line->key;
    return true;
}

static bool put_work(struct line *line, struct log_field *field)
{
    field->number = (int64_t)(line->ex->client.work_ns / 1000);
    return line->ex->client.client != NULL;
}

static bool put_method(struct line *line, struct log_field *field)
{
    const struct head *head = exchange_head(line->ex);

    field->text = head->bytes.method ? head->bytes.method : "?";
    return true;
}

static bool put_target(struct line *line, struct log_field *field)
{
    field->text = target_of(line->ex, line->target);
    return true;
}

static bool put_status(struct line *line, struct log_field *field)
{
    field->number = (int64_t)line->ex->response.status;
    return true;
}

static bool put_bytes(struct line *line, struct log_field *field)
{
    field->number = (int64_t)line->ex->response.bytes;
    return true;
}

static bool put_us(struct line *line, struct log_field *field)
{
    field->number = (int64_t)(line->ns / 1000);
    return true;
}

static bool put_cache(struct line *line, struct log_field *field)
{
    field->text = line->ex->work.cache_result ? line->ex->work.cache_result : "none";
    return true;
}

static bool put_request_id(struct line *line, struct log_field *field)
{
    field->text = line->ex->access.request_id;
    return true;
}

static bool put_end(struct line *line, struct log_field *field)
{
    field->text = line->sent ? "ok" : "cut";
    return true;
}

static bool put_trace_id(struct line *line, struct log_field *field)
{
    field->text = line->parent.trace_id;
    return traceparent_parse(&line->parent, exchange_head(line->ex)->traceparent);
}

static bool (*const put[ACCESS_FIELD_COUNT])(struct line *line, struct log_field *field) = {
#define ACCESS_FIELD(NAME, HELP) [ACCESS_FIELD_##NAME] = put_##NAME,
#include "server/config/access_fields.def"
};

static void write_line(struct line *line)
{
    const struct service *service = exchange_service(line->ex);
    struct log_field fields[ACCESS_FIELD_COUNT + 1] = {{0}};
    size_t count = 0;

    for (size_t i = 0; i < ACCESS_FIELD_COUNT; i++) {
        struct log_field field = {.name = access_field_name((enum access_field)i)};

        if ((service->config.log_fields >> i & 1) && put[i](line, &field))
            fields[count++] = field;
    }
    log_event(service->log, LOG_INFO, "request", fields);
}

/* ---- spans ------------------------------------------------------------------------------- */

/* Writes where the time of the request went. It is a part of the trace that its traceparent
 * names; an id of its own makes it one span of several that may have the same parent. */
static void write_span(struct exchange *ex, uint64_t ns)
{
    struct log_field fields[SPAN_STEPS + 9] = {{0}};
    struct traceparent parent;
    char id[REQUEST_ID_SIZE];
    size_t count = 0;

    exchange_loop_make_id(ex->state, id);
    if (traceparent_parse(&parent, exchange_head(ex)->traceparent)) {
        fields[count++] = (struct log_field){.name = "trace_id", .text = parent.trace_id};
        fields[count++] = (struct log_field){.name = "parent_id", .text = parent.parent_id};
        fields[count++] = (struct log_field){.name = "sampled", .number = parent.is_sampled};
    }
    fields[count++] = (struct log_field){.name = "span_id", .text = id};
    fields[count++] = (struct log_field){.name = "request_id", .text = ex->access.request_id};
    fields[count++] =
        (struct log_field){.name = "route",
                           .text = ex->target.endpoint ? ex->target.endpoint->path : "none"};
    fields[count++] =
        (struct log_field){.name = "status", .number = (int64_t)ex->response.status};
    fields[count++] = (struct log_field){.name = "us", .number = (int64_t)(ns / 1000)};
    for (size_t i = 0; i < SPAN_STEPS; i++)
        fields[count++] = (struct log_field){.name = span_step_name((enum span_step)i),
                                             .number = (int64_t)(ex->span.ns[i] / 1000)};
    log_event(exchange_service(ex)->log, LOG_DEBUG, "span", fields);
}

static enum metrics_found found(const struct exchange *ex)
{
    if (!ex->work.cache_result || ex->response.status >= 400) /* refused is not made */
        return METRICS_NOT_ASKED;
    return strcmp(ex->work.cache_result, "hit") == 0 ? METRICS_KEPT : METRICS_MADE;
}

void access_log_record(struct exchange *ex, bool sent)
{
    struct metrics_slab *slab = loop_metrics(ex->state->loop);
    const uint64_t now_ns = uv_hrtime(), ns = now_ns - ex->access.started_ns;
    struct line line; /* not cleared, since it is long */

    metrics_inflight(slab, -1);
    if (ex->response.status != 0)
        metrics_request(
            slab, &(struct metrics_request){
                      .found = found(ex),
                      .endpoint = ex->target.endpoint ? ex->target.endpoint->id : ENDPOINT_NONE,
                      .method = (unsigned)exchange_head(ex)->method,
                      .status = ex->response.status,
                      .first_byte_ns = ex->access.answered_ns - ex->access.started_ns,
                      .last_byte_ns = ns,
                      .bytes = ex->response.bytes});
    if (ex->span.begun) {
        span_end(&ex->span, now_ns);
        write_span(ex, ns);
    }
    if (!wanted(ex))
        return;
    line.ex = ex;
    line.ns = ns;
    line.sent = sent;
    write_line(&line);
}

void access_log_reject(struct exchange *ex, enum metrics_reject reason)
{
    if (!ex->access.rejected)
        metrics_reject(loop_metrics(ex->state->loop), reason);
    ex->access.rejected = true;
}
