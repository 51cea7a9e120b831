/* SPDX-License-Identifier: Apache-2.0
 * exchange_fail.c - makes a problem the next step of an exchange, keeps the errors of
 * parameters, and writes a problem on the socket itself. */
#include "server/exchange/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <uv.h>

#include "proto/http/sentences.h"
#include "proto/inference/inference_error.h"
#include "proto/text/buffer.h"
#include "server/exchange/response.h"

/* ---- problems --------------------------------------------------------------------------- */

enum next exchange_fail(struct exchange *ex, enum problem_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(ex->problem.detail, sizeof ex->problem.detail, format, args);
    va_end(args);
    ex->problem.kind = kind;
    exchange_go_problem(ex);
    return MORE;
}

enum next exchange_fail_status(struct exchange *ex, enum pe_status status)
{
    if (status == PE_NO_MEMORY) {
        access_log_reject(ex, METRICS_REJECT_MEMORY);
        return exchange_fail(ex, PROBLEM_OVERLOADED, SENTENCE_NO_MEMORY);
    }
    ex->problem.kind = problem_kind_of(ex->problem.errors);
    ex->problem.with_errors = true;
    exchange_go_problem(ex);
    return MORE;
}

enum next exchange_fail_format(struct exchange *ex)
{
    ex->problem.of_format = true;
    return exchange_fail(ex, PROBLEM_NOT_ACCEPTABLE, SENTENCE_NO_FORMAT);
}

bool exchange_lacks(struct exchange *ex, uint64_t bytes, enum metrics_reject reason)
{
    const char *detail = "too much is being answered; try again";

    if (reason == METRICS_REJECT_PEER)
        detail = "the answers to this client hold its share of the memory; read them to their "
                 "end, or ask for less at once, and try again";
    if (!exchange_is_part(ex)) /* a part asks again */
        access_log_reject(ex, reason);
    exchange_fail(ex, PROBLEM_OVERLOADED, "%s", detail);
    ex->problem.lack = (struct exchange_lack){detail, reason, bytes, false};
    return false;
}

enum next exchange_refuse_work(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_OVERLOAD);
    return exchange_fail(ex, PROBLEM_OVERLOADED, "%s", thread_pool_refusal(ex->work.refused));
}

enum next exchange_refuse_computing(struct exchange *ex)
{
    access_log_reject(ex, METRICS_REJECT_OVERLOAD);
    return exchange_fail(ex, PROBLEM_OVERLOADED,
                         "the server is overloaded and computes no new responses; try again");
}

/* ---- errors of parameters ----------------------------------------------------------- */

void exchange_take_errors(struct exchange *ex, struct pe_errors **errors)
{
    if (!*errors)
        return;
    exchange_forget_errors(ex);
    ex->problem.errors = *errors;
    ex->problem.owns_errors = true;
    *errors = NULL;
}

void exchange_forget_errors(struct exchange *ex)
{
    if (ex->problem.owns_errors)
        free(ex->problem.errors);
    ex->problem.errors = &ex->state->errors;
    ex->problem.owns_errors = false;
}

/* ---- on the socket itself -------------------------------------------------------------- */

/* The transport sends nothing at that time, so its bytes and these cannot mix; a socket that
 * does not take a kilobyte at once gets no response. */
void exchange_fail_raw(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    struct problem problem = {.kind = kind,
                              .detail = detail,
                              .limited_by = ex->problem.limited_by,
                              .request_id = ex->access.request_id,
                              .base = ex->target.base};
    struct buffer body = {0}, text = {0};
    unsigned status = problem_status(kind);
    bool inference = response_is_inference(ex->connection);
    char retry[40] = "";

    if (exchange_retry_s(ex, status) > 0)
        snprintf(retry, sizeof retry, "Retry-After: %u\r\n", exchange_retry_s(ex, status));
    if (inference)
        inference_error_write(&body, detail, NULL);
    else
        problem_write(&body, &problem);
    buffer_add_format(&text,
                      "HTTP/1.1 %u %s\r\nContent-Type: %s\r\n"
                      "Content-Length: %zu\r\nCache-Control: no-store\r\n"
                      "X-Content-Type-Options: nosniff\r\n%sX-Request-Id: %s\r\n"
                      "Connection: close\r\n\r\n",
                      status, problem_title(kind),
                      inference ? "application/json" : PROBLEM_MEDIA_TYPE, body.len, retry,
                      ex->access.request_id);
    if (exchange_head(ex)->method != METHOD_HEAD)
        buffer_add(&text, body.bytes, body.len);
    if (!body.failed && !text.failed)
        connection_send_last(ex->connection, text.bytes, text.len);
    ex->response.status = status;
    ex->access.answered_ns = uv_hrtime();
    ex->response.bytes = body.len;
    buffer_fini(&body);
    buffer_fini(&text);
}
