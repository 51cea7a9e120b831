/* SPDX-License-Identifier: Apache-2.0
 * access_log.c - see access_log.h. Nothing of the client is logged but its target, method,
 * request id and trace id; log.c escapes and cuts them. */
#include "server/exchange/access_log.h"

#include <string.h>
#include <uv.h>

#include "server/files/secrets.h"
#include "server/http/head.h"

enum { TRACE_ID_AT = 3, TRACE_ID_LEN = 32, TRACEPARENT_LEN = 55 };

/* Copies the trace id of a W3C traceparent, "00-<32 hex>-<16 hex>-<2 hex>"; "": it is none. */
static void trace_id(const char *traceparent, char id[TRACE_ID_LEN + 1])
{
    static const char hex[] = "0123456789abcdef";

    id[0] = '\0';
    if (!traceparent || strlen(traceparent) < TRACEPARENT_LEN || traceparent[2] != '-' ||
        strspn(traceparent + TRACE_ID_AT, hex) != TRACE_ID_LEN ||
        traceparent[TRACE_ID_AT + TRACE_ID_LEN] != '-')
        return;
    memcpy(id, traceparent + TRACE_ID_AT, TRACE_ID_LEN);
    id[TRACE_ID_LEN] = '\0';
}

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

static void write_line(struct exchange *ex, uint64_t ns, enum MHD_RequestTerminationCode why)
{
    const struct head *head = exchange_head(ex);
    char trace[TRACE_ID_LEN + 1], target[HEAD_TARGET_MAX + 1];
    struct log_field fields[] = {
        {.name = "method", .text = head->method_name ? head->method_name : "?"},
        {.name = "target", .text = target_of(ex, target)},
        {.name = "status", .number = (int64_t)ex->response.status},
        {.name = "bytes", .number = (int64_t)ex->response.bytes},
        {.name = "us", .number = (int64_t)(ns / 1000)},
        {.name = "cache", .text = ex->work.cache_result ? ex->work.cache_result : "none"},
        {.name = "request_id", .text = ex->access.request_id},
        {.name = "end", .text = why == MHD_REQUEST_TERMINATED_COMPLETED_OK ? "ok" : "cut"},
        {.name = "trace_id", .text = trace},
        {.name = NULL},
    };

    trace_id(head->traceparent, trace);
    if (trace[0] == '\0')
        fields[sizeof fields / sizeof fields[0] - 2].name = NULL;
    log_event(exchange_service(ex)->log, LOG_INFO, "request", fields);
}

void access_log_record(struct exchange *ex, enum MHD_RequestTerminationCode why)
{
    struct metrics_slab *slab = loop_metrics(ex->state->loop);
    uint64_t ns = uv_hrtime() - ex->access.started_ns;

    metrics_inflight(slab, -1);
    if (ex->response.status != 0)
        metrics_request(
            slab, &(struct metrics_request){
                      .endpoint = ex->target.endpoint ? ex->target.endpoint->id : ENDPOINT_NONE,
                      .method = (unsigned)exchange_head(ex)->method,
                      .status = ex->response.status,
                      .first_byte_ns = ex->access.answered_ns - ex->access.started_ns,
                      .last_byte_ns = ns,
                      .bytes = ex->response.bytes});
    if (wanted(ex))
        write_line(ex, ns, why);
}
