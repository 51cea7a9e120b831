/* SPDX-License-Identifier: Apache-2.0
 * chunked_body.c - see chunked_body.h. The bytes that libmicrohttpd has read behind the head
 * come first, then the socket's. */
#include "server/exchange/chunked_body.h"

#include <stdlib.h>
#include <uv.h>

#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/http/chunks.h"
#include "server/http/request_check.h"
#include "server/net/socket_poll.h"

enum { READ_BYTES = 16 << 10 };

struct chunked_body {
    struct exchange *ex;
    struct chunks chunks;
    const char *rest; /* unread bytes in libmicrohttpd's buffer, which stays */
    size_t rest_len;
    struct socket_watch watch;
    uv_timer_t timer; /* reads on where polling the socket does not report further bytes */
    bool cut;
};

static bool take(void *context, const char *bytes, size_t len)
{
    struct exchange *ex = context;

    connection_received(ex->connection, len);
    (void)body_add(ex, bytes, len);
    return !ex->body.discard; /* false: the body was refused */
}

/* Malformed framing is answered at once, since such a body has no end to wait for. */
static void refuse(struct exchange *ex, const struct chunks *chunks)
{
    enum problem_kind kind = PROBLEM_BAD_REQUEST;
    char why[HEAD_BODY_TOO_LONG_SIZE];

    if (chunks->state == CHUNKS_TOO_LARGE) {
        snprintf(why, sizeof why, HEAD_BODY_TOO_LONG, chunks->max);
        (void)body_refuse(ex, PROBLEM_BODY_TOO_LARGE, why);
        return;
    }
    if (chunks->state == CHUNKS_TRAILER_TOO_LONG)
        kind = PROBLEM_HEAD_TOO_LARGE;
    (void)body_refuse(ex, kind, chunks->error);
}

/* Returns true if more bytes must come. */
static bool add(struct chunked_body *body, const char *bytes, size_t len)
{
    enum chunks_state state = chunks_add(&body->chunks, bytes, len, take, body->ex);

    if (body->chunks.error)
        refuse(body->ex, &body->chunks);
    body->ex->connection->request_read = state == CHUNKS_WHOLE;
    return state == CHUNKS_MORE;
}

/* Returns bytes as connection_read does; few compressed ones, which may inflate to many. */
static ssize_t next_bytes(struct chunked_body *body, char *buffer, const char **bytes)
{
    size_t most = body->ex->body.inflater ? BODY_COMPRESSED_PART : READ_BYTES;

    if (body->rest_len == 0) {
        *bytes = buffer;
        return connection_read(body->ex->connection, buffer, most);
    }
    if (most > body->rest_len)
        most = body->rest_len;
    *bytes = body->rest;
    body->rest += most;
    body->rest_len -= most;
    return (ssize_t)most;
}

static void on_timer(uv_timer_t *timer);

/* Reads what has arrived, for about BODY_TURN_NS. Returns true if more bytes must come. */
static bool read_some(struct chunked_body *body)
{
    uint64_t start = uv_hrtime();
    char buffer[READ_BYTES];
    const char *bytes;

    do {
        ssize_t got = next_bytes(body, buffer, &bytes);

        if (got == CONNECTION_AGAIN)
            return true;
        body->cut = got <= 0;
        if (body->cut || !add(body, bytes, (size_t)got))
            return false;
    } while (uv_hrtime() - start < BODY_TURN_NS);
    if (body->rest_len > 0 || connection_has_pending(body->ex->connection))
        uv_timer_start(&body->timer, on_timer, 0, 0);
    return true;
}

static void stop_waiting(struct chunked_body *body)
{
    socket_poll_remove(loop_sockets(body->ex->connection->loop), &body->watch);
    uv_timer_stop(&body->timer);
}

static void stop(struct chunked_body *body)
{
    stop_waiting(body);
    connection_resume(body->ex->connection);
}

static void on_readable(void *owner)
{
    struct chunked_body *body = owner;

    if (!read_some(body))
        stop(body);
}

static void on_timer(uv_timer_t *timer)
{
    on_readable(timer->data);
}

/* NULL: out of memory. */
static struct chunked_body *body_new(struct exchange *ex)
{
    struct chunked_body *body = calloc(1, sizeof *body);

    if (!body)
        return NULL;
    body->ex = ex;
    body->watch.on_readable = on_readable;
    body->watch.owner = body;
    chunks_begin(&body->chunks, exchange_service(ex)->config.max_body);
    body->rest = request_check_rest(exchange_head(ex), ex->connection->mhd, &body->rest_len);
    uv_timer_init(loop_uv(ex->connection->loop), &body->timer); /* cannot fail */
    body->timer.data = body;
    return body;
}

enum next chunked_body_begin(struct exchange *ex)
{
    struct chunked_body *body = ex->body.chunked = body_new(ex);

    if (!body)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (body->rest_len == 0 && exchange_head(ex)->expects_continue &&
        !connection_send_interim(ex->connection, "HTTP/1.1 100 Continue\r\n\r\n"))
        return CLOSE;
    if (!read_some(body))
        return body->cut ? CLOSE : MORE;
    if (!socket_poll_add(loop_sockets(ex->connection->loop), &body->watch,
                         ex->connection->fd)) {
        uv_timer_stop(&body->timer);
        (void)body_refuse(ex, PROBLEM_OVERLOADED,
                          "the system has no memory to wait for this body; try again");
        return MORE;
    }
    connection_await_body(ex->connection);
    return WAIT;
}

void chunked_body_stop(struct exchange *ex)
{
    stop(ex->body.chunked);
}

bool chunked_body_is_cut(const struct chunked_body *body)
{
    return body && (body->cut || body->chunks.state == CHUNKS_MORE) && !body->ex->body.discard;
}

static void on_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void chunked_body_free(struct chunked_body *body)
{
    if (!body)
        return;
    stop_waiting(body);
    uv_close((uv_handle_t *)&body->timer, on_closed);
}
