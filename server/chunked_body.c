/* SPDX-License-Identifier: Apache-2.0
 * chunked_body.c - see chunked_body.h. The bytes that libmicrohttpd has read behind the head
 * come first, then those of the socket. */
#include "server/chunked_body.h"

#include <stdlib.h>
#include <uv.h>

#include "server/chunks.h"
#include "server/gate.h"
#include "server/upload.h"

enum { READ_BYTES = 16 << 10, READS = 4 /* in one turn of the loop */ };

struct chunked_body {
    struct exchange *ex;
    struct chunks chunks;
    uv_poll_t poll;
    bool polled; /* libuv has the handle */
    bool cut;
};

static bool take(void *context, const char *bytes, size_t len)
{
    struct exchange *ex = context;

    connection_received(ex->connection, len);
    (void)upload_add(ex, bytes, len);
    return !ex->swallow; /* refused meanwhile */
}

/* What is malformed in the framing is told at once: there is no end to wait for. */
static void refuse(struct exchange *ex, const struct chunks *chunks)
{
    enum problem_kind kind = PROBLEM_BAD_REQUEST;

    if (chunks->state == CHUNKS_TOO_LARGE)
        kind = PROBLEM_BODY_TOO_LARGE;
    else if (chunks->state == CHUNKS_TRAILER_TOO_LONG)
        kind = PROBLEM_HEAD_TOO_LARGE;
    (void)upload_refuse(ex, kind, chunks->error);
}

/* True: more must come. */
static bool add(struct chunked_body *body, const char *bytes, size_t len)
{
    enum chunks_state state = chunks_add(&body->chunks, bytes, len, take, body->ex);

    if (body->chunks.error)
        refuse(body->ex, &body->chunks);
    body->ex->connection->whole = state == CHUNKS_WHOLE;
    return state == CHUNKS_MORE;
}

/* The same of what the socket has. */
static bool read_some(struct chunked_body *body)
{
    char bytes[READ_BYTES];
    ssize_t got = 0;

    for (int i = 0; i < READS || connection_holds(body->ex->connection); i++) {
        got = connection_read(body->ex->connection, bytes, sizeof bytes);
        if (got == CONNECTION_AGAIN)
            return true;
        body->cut = got <= 0;
        if (body->cut || !add(body, bytes, (size_t)got))
            return false;
    }
    return true;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct chunked_body *body = poll->data;

    (void)events;
    body->cut = status != 0;
    if (!body->cut && read_some(body))
        return;
    uv_poll_stop(poll);
    connection_resume(body->ex->connection);
}

/* Lets libuv tell when there is more. */
static bool poll_socket(struct chunked_body *body)
{
    struct connection *connection = body->ex->connection;

    if (uv_poll_init(loop_uv(connection->loop), &body->poll, connection->fd) != 0)
        return false;
    body->poll.data = body;
    body->polled = true;
    return uv_poll_start(&body->poll, UV_READABLE, on_poll) == 0;
}

enum next chunked_body_begin(struct exchange *ex)
{
    struct chunked_body *body = calloc(1, sizeof *body);
    const char *bytes;
    size_t len;

    if (!body)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    ex->chunked = body;
    body->ex = ex;
    chunks_begin(&body->chunks, exchange_service(ex)->config.max_body);
    bytes = gate_rest(exchange_head(ex), ex->connection->mhd, &len);
    if (len == 0 && exchange_head(ex)->expects_continue &&
        !connection_say(ex->connection, "HTTP/1.1 100 Continue\r\n\r\n"))
        return CLOSE;
    if (!add(body, bytes, len) || !read_some(body))
        return body->cut ? CLOSE : MORE;
    if (!poll_socket(body)) {
        (void)upload_refuse(ex, PROBLEM_OVERLOADED, "out of memory; try again");
        return MORE;
    }
    connection_await_body(ex->connection);
    return WAIT;
}

void chunked_body_stop(struct exchange *ex)
{
    uv_poll_stop(&ex->chunked->poll);
    connection_resume(ex->connection);
}

bool chunked_body_is_cut(const struct chunked_body *body)
{
    return body && (body->cut || body->chunks.state == CHUNKS_MORE) && !body->ex->swallow;
}

void chunked_body_free(struct chunked_body *body)
{
    if (!body)
        return;
    if (body->polled)
        uv_close((uv_handle_t *)&body->poll, on_closed);
    else
        free(body);
}
