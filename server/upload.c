/* SPDX-License-Identifier: Apache-2.0
 * upload.c - checks a body's kind and length, feeds it to the JSON reader. See upload.h. */
#include "server/upload.h"

#include <string.h>
#include <strings.h>

#include "proto/body.h"
#include "server/answer.h"
#include "server/direct.h"

/* "application/json", perhaps with parameters. */
static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    size_t len = strcspn(type, "; \t");

    return len == sizeof json - 1 && strncasecmp(type, json, len) == 0;
}

/* Sets the problem of a body that we do not take. */
static void check(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);
    uint64_t max = exchange_service(ex)->config.max_body;

    if (head->content_encoding && strcasecmp(head->content_encoding, "identity") != 0)
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                      "bodies are taken as they are; send it without Content-Encoding");
    else if (!head->content_type)
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE,
                      "the body has no Content-Type; send application/json");
    else if (!is_json(head->content_type))
        exchange_fail(ex, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "send application/json; got %.80s",
                      head->content_type);
    else if (!head->chunked && head->content_length > max)
        exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "a body has at most %llu bytes; got %llu",
                      (unsigned long long)max, (unsigned long long)head->content_length);
}

enum next upload_begin(struct exchange *ex)
{
    const struct head *head = exchange_head(ex);

    if (ex->problem == PROBLEM_COUNT)
        check(ex);
    if (ex->problem == PROBLEM_COUNT) {
        ex->body = json_body_new(exchange_service(ex)->config.max_body);
        if (!ex->body)
            exchange_fail_status(ex, PE_NO_MEMORY);
    }
    if (ex->problem == PROBLEM_COUNT)
        return MORE;
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_BODY);
    ex->swallow = true;
    if (!head->chunked && head->content_length <= UPLOAD_SWALLOW)
        return MORE;
    ex->closing = true;
    return answer_problem(ex);
}

/* The body is still coming: after the answer take a little more, so that the client reads it
 * before it learns of the close. */
static enum next refuse_midway(struct exchange *ex, enum problem_kind kind, const char *detail)
{
    direct_problem(ex, kind, detail);
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_BODY);
    ex->swallow = true;
    ex->body_bytes = 0; /* counts what is dropped from now on */
    return MORE;
}

enum next upload_add(struct exchange *ex, const char *bytes, size_t len)
{
    uint64_t max = exchange_service(ex)->config.max_body;
    size_t held, before;

    ex->body_bytes += len;
    if (ex->swallow)
        return ex->status != 0 && ex->body_bytes > UPLOAD_SWALLOW ? CLOSE : MORE;
    if (ex->body_bytes > max)
        return refuse_midway(ex, PROBLEM_BODY_TOO_LARGE, "the body is longer than allowed");
    before = json_body_held(ex->body);
    (void)json_body_add(ex->body, bytes, len); /* its state is kept until the end */
    held = json_body_held(ex->body);
    if (held > before && !service_reserve(exchange_service(ex), held - before))
        return refuse_midway(ex, PROBLEM_OVERLOADED, "too many bodies in memory; try again");
    if (held > before)
        ex->reserved += held - before;
    return MORE;
}

enum next upload_finish(struct exchange *ex)
{
    enum body_state state;

    if (!ex->body || ex->swallow)
        return MORE;
    state = json_body_finish(ex->body);
    if (state == BODY_MALFORMED)
        return exchange_fail(ex, PROBLEM_MALFORMED_JSON, "%s", json_body_error(ex->body));
    if (state == BODY_TOO_LARGE)
        return exchange_fail(ex, PROBLEM_BODY_TOO_LARGE, "%s", json_body_error(ex->body));
    if (state == BODY_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    return MORE;
}
