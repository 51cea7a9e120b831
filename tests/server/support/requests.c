/* SPDX-License-Identifier: Apache-2.0
 * requests.c - bytes of clients as rows: "chunks" is a body in the chunked transfer coding,
 * "request" is sent to a service whose bodies may have 1 MiB, and "ask" is a method, a target
 * and perhaps a body for a service with defaults. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "proto/text/json_write.h"
#include "server/http/chunks.h"
#include "tests/server/support/server_row.h"
#include "tests/support/http_client.h"
#include "tests/support/served.h"

/* ---- chunks ------------------------------------------------------------------------------ */

static bool take(void *context, const char *bytes, size_t len)
{
    buffer_add(context, bytes, len);
    return true;
}

/* Reads the text `step` bytes at a time. */
static struct chunks read_chunks(struct buffer *body, const char *text, size_t len, size_t step)
{
    struct chunks chunks;

    buffer_fini(body);
    buffer_add_text(body, "");
    chunks_begin(&chunks, 1000);
    for (size_t at = 0; at < len; at += step)
        chunks_add(&chunks, text + at, step < len - at ? step : len - at, take, body);
    return chunks;
}

/* Whether each beginning of the text, of fewer than `len` bytes, waits for more. */
static bool parts_wait(const char *text, size_t len)
{
    struct buffer body = {0};
    bool wait = true;

    for (size_t part = 0; part < len; part++)
        wait &= read_chunks(&body, text, part, part + 1).state == CHUNKS_MORE;
    buffer_fini(&body);
    return wait;
}

/* Whether the state stays as it is when more bytes come. */
static bool is_final(struct chunks *chunks, struct buffer *body)
{
    static const char more[] = "1\r\nx\r\n0\r\n\r\n";
    const enum chunks_state state = chunks->state;

    return chunks_add(chunks, more, sizeof more - 1, take, body) == state;
}

static void write_end(struct buffer *out, const char *text, size_t len, size_t step,
                      const char *claim)
{
    struct buffer body = {0};
    struct chunks chunks = read_chunks(&body, text, len, step);

    if (chunks.state == CHUNKS_WHOLE && !chunks.error && strcmp(claim, "body") == 0)
        json_write_string(out, NULL, body.len > 0 ? body.bytes : "", body.len);
    else if (chunks.state == CHUNKS_MALFORMED && strcmp(claim, "malformed") == 0)
        buffer_add_text(out, chunks.error);
    else if (chunks.state == CHUNKS_TOO_LARGE && strcmp(claim, "too large") == 0)
        buffer_add_text(out, chunks.error);
    if (!is_final(&chunks, &body))
        buffer_add_text(out, ", and more bytes change the state");
    buffer_fini(&body);
}

/* The result must be the same however the text is cut. A malformed text is so by its last byte
 * and not before. */
static void chunks(struct buffer *out, char *value, const char *claim, const void *context)
{
    size_t len;
    char *text = server_row_bytes(value, &len);

    if (strcmp(claim, "parts") == 0)
        buffer_add_text(out, parts_wait(text, len) ? "wait for more" : "do not wait");
    for (size_t step = 1; step <= len && strcmp(claim, "parts") != 0; step++) {
        struct buffer end = {0};

        write_end(&end, text, len, step, claim);
        if (step == 1 && end.len > 0)
            buffer_add(out, end.bytes, end.len);
        else if (out->len != end.len ||
                 (end.len > 0 && memcmp(out->bytes, end.bytes, end.len) != 0))
            buffer_add_format(out, ", but otherwise when read by %zu bytes", step);
        buffer_fini(&end);
    }
    if (strcmp(claim, "malformed") == 0 && !parts_wait(text, len))
        buffer_add_text(out, ", and was so before its last byte");
    free(text);
}

/* ---- requests ---------------------------------------------------------------------------- */

static void small_bodies(struct config *config)
{
    config->max_body = 1 << 20;
}

static bool has_header(struct http_answer *answer, const char *name, const char *value)
{
    const char *got = http_answer_header(answer, name);

    return got && strcmp(got, value) == 0;
}

/* A refusal has a reason, closes the connection and is counted once. */
static void write_refusal(struct buffer *out, struct service *service,
                          struct http_client *client, struct http_answer *answer)
{
    json_t *problem = json_loadb(answer->body, answer->len, 0, NULL);
    const char *detail = json_string_value(json_object_get(problem, "detail"));

    buffer_add_format(out, "%d %s", answer->status, detail ? detail : answer->body);
    json_decref(problem);
    if (!has_header(answer, "Content-Type", "application/problem+json"))
        buffer_add_text(out, ", but it is no problem");
    if (answer->status == 405 && !has_header(answer, "Allow", "GET, HEAD, OPTIONS"))
        buffer_add_text(out, ", but without Allow");
    if (!has_header(answer, "Connection", "close") || !http_client_closed(client))
        buffer_add_text(out, ", but the connection stays");
    if (served_metric(service, "posencd_rejected_total{reason=\"request_check\"}") != 1)
        buffer_add_text(out, ", but it is not counted once");
}

/* A refusal by the library itself closes the connection, too. */
static void write_library_refusal(struct buffer *out, struct http_client *client,
                                  const struct http_answer *answer)
{
    if (answer->status == 0)
        buffer_add_text(out, "no answer");
    else
        buffer_add_integer(out, (uint64_t)answer->status);
    if (!http_client_closed(client))
        buffer_add_text(out, ", but the connection stays");
}

/* A second request follows, which must not be answered after a refusal. */
static void request(struct buffer *out, char *value, const char *claim, const void *context)
{
    static const char next[] = "GET /version HTTP/1.1\r\nHost: x\r\n\r\n";
    const bool refused = strncmp(claim, "refused", 7) == 0;
    struct service *service = served_start(small_bodies);
    struct http_client *client = http_client_new(served_port(service));
    struct http_answer answer = {0};
    size_t len;
    char *bytes = server_row_bytes(value, &len);

    http_client_send(client, bytes, len);
    if (refused)
        http_client_send(client, next, sizeof next - 1);
    http_client_read(client, &answer, false, NULL, NULL);
    if (strcmp(claim, "refused since 1.0.0") == 0)
        write_library_refusal(out, client, &answer);
    else if (refused)
        write_refusal(out, service, client, &answer);
    else if (strcmp(claim, "status") == 0)
        buffer_add_integer(out, (uint64_t)answer.status);
    http_answer_fini(&answer);
    http_client_free(client);
    served_stop(service);
    free(bytes);
}

/* ---- answers ----------------------------------------------------------------------------- */

/* Writes status, type and detail of a problem. */
static void write_problem(struct buffer *out, const struct http_answer *answer)
{
    json_t *problem = json_loadb(answer->body, answer->len, 0, NULL);
    const char *type = json_string_value(json_object_get(problem, "type"));
    const char *detail = json_string_value(json_object_get(problem, "detail"));

    if (type && detail)
        buffer_add_format(out, "%d %s: %s", answer->status, type, detail);
    json_decref(problem);
}

/* The value is a method, a target and perhaps a body in JSON. */
static void ask(struct buffer *out, char *value, const char *claim, const void *context)
{
    struct service *service = served_start(NULL);
    struct http_client *client = http_client_new(served_port(service));
    struct http_answer answer = {0};
    const char *method = server_row_step(&value, " "), *target = server_row_step(&value, " "),
               *type = value ? "Content-Type: application/json\r\n" : NULL, *header;

    http_client_ask(client, &answer, method, target, type, value);
    header = http_answer_header(&answer, claim);
    if (strcmp(claim, "problem") == 0)
        write_problem(out, &answer);
    else if (strcmp(claim, "status") == 0)
        buffer_add_integer(out, (uint64_t)answer.status);
    else if (strcmp(claim, "text") == 0)
        json_write_string(out, NULL, answer.body, answer.len);
    else
        buffer_add_text(out, header ? header : "");
    http_answer_fini(&answer);
    http_client_free(client);
    served_stop(service);
}

const struct server_row_function server_row_requests[] = {{"chunks", chunks, NULL},
                                                          {"request", request, NULL},
                                                          {"ask", ask, NULL},
                                                          {NULL, NULL, NULL}};
