/* SPDX-License-Identifier: Apache-2.0
 * chunked_body.c - see chunked_body.h. The bytes that the transport has read behind the head
 * come first, then the socket's. */
#include "server/exchange/chunked_body.h"

#include <stdlib.h>
#include <uv.h>

#include "server/exchange/auth.h"
#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/http/chunks.h"
#include "server/net/peers.h"
#include "server/net/socket_poll.h"

enum { READ_BYTES = 16 << 10 };

struct chunked_body {
    struct exchange *ex;
    struct chunks chunks;
    const char *rest; /* unread bytes in the transport's buffer, which stays */
    size_t rest_len;
    struct socket_watch watch;
    size_t turn_len; /* bytes that are read in the turn for which the connection waits */
    bool cut;
    bool out_of_time; /* the last turn ended before all that had arrived was read */
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

/* Returns about how many bytes of a compressed body have arrived, for which the loop's
 * allowance is asked; 0 of another one, which asks for nothing unless it takes BODY_TURN_NS. */
static size_t arrived(const struct chunked_body *body)
{
    if (!body->ex->body.inflater)
        return 0;
    const size_t len =
        body->rest_len > 0 ? body->rest_len : connection_arrived(body->ex->connection);
    return len > 0 ? len : 1; /* urgent data can be read and is not counted by the system */
}

/* Returns bytes as connection_read does; few compressed ones, which may inflate to many. */
static ssize_t next_bytes(struct chunked_body *body, size_t most, char *buffer,
                          const char **bytes)
{
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

/* A part of a compressed body is at least one byte, so that the end of the stream is found. */
static size_t part_of(size_t len)
{
    if (len == 0)
        return 1;
    return len < BODY_COMPRESSED_PART ? len : BODY_COMPRESSED_PART;
}

/* Reads what has arrived, for about BODY_TURN_NS; of a compressed body about
 * `len` bytes. Returns true if more bytes must come. */
static bool read_some(struct chunked_body *body, size_t len)
{
    const bool compressed = body->ex->body.inflater != NULL;
    const uint64_t start = uv_hrtime();
    char buffer[READ_BYTES];
    const char *bytes;

    do {
        ssize_t got = next_bytes(body, compressed ? part_of(len) : READ_BYTES, buffer, &bytes);

        body->out_of_time = false;
        if (got == CONNECTION_AGAIN)
            return true;
        body->cut = got <= 0;
        if (body->cut || !add(body, bytes, (size_t)got))
            return false;
        len -= (size_t)got < len ? (size_t)got : len;
        body->out_of_time = uv_hrtime() - start >= BODY_TURN_NS;
    } while ((len > 0 || !compressed) && !body->out_of_time);
    return true;
}

static void stop_waiting(struct chunked_body *body)
{
    struct loop *loop = body->ex->connection->loop;

    socket_poll_remove(loop_sockets(loop), &body->watch);
    (void)turn_queue_leave(loop_turns(loop), body->ex->connection);
}

static void stop(struct chunked_body *body)
{
    stop_waiting(body);
    connection_resume(body->ex->connection);
}

static void on_turn(struct connection *connection);

static void await_turn(struct chunked_body *body, size_t len)
{
    struct connection *connection = body->ex->connection;

    body->turn_len = len;
    socket_poll_ignore(loop_sockets(connection->loop), &body->watch);
    connection_await_turn(connection, auth_peer(body->ex)->number,
                          body->ex->body.inflater ? body_inflate_operations(body->ex, len)
                                                  : BODY_TURN_NS,
                          on_turn);
}

/* Polling the socket does not report bytes that the transport or TLS has read; and one that
 * would be reported at once has had its turn. */
static bool needs_turn(const struct chunked_body *body)
{
    return body->out_of_time || body->rest_len > 0 ||
           connection_has_pending(body->ex->connection);
}

static void read_on(struct chunked_body *body, size_t len)
{
    if (!read_some(body, len))
        stop(body);
    else if (needs_turn(body))
        await_turn(body, arrived(body));
}

static void on_turn(struct connection *connection)
{
    struct chunked_body *body = connection->exchange->body.chunked;

    connection_take_turn(connection);
    socket_poll_want(loop_sockets(connection->loop), &body->watch);
    read_on(body, body->turn_len);
}

static bool may_read(struct chunked_body *body, size_t len)
{
    return exchange_may_work(body->ex, body_inflate_operations(body->ex, len));
}

/* While the connection waits for its turn, a report says that the connection is broken. */
static void on_readable(void *owner)
{
    struct chunked_body *body = owner;
    struct connection *connection = body->ex->connection;
    size_t len;

    body->cut = turn_queue_leave(loop_turns(connection->loop), connection);
    if (body->cut) {
        stop(body);
        return;
    }
    len = arrived(body);
    if (may_read(body, len))
        read_on(body, len);
    else
        await_turn(body, len);
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
    body->rest = exchange_head(ex)->bytes.rest;
    body->rest_len = exchange_head(ex)->bytes.rest_len;
    return body;
}

enum next chunked_body_begin(struct exchange *ex)
{
    struct chunked_body *body = ex->body.chunked = body_new(ex);
    size_t len;
    bool may;

    if (!body)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    if (body->rest_len == 0 && exchange_head(ex)->expects_continue &&
        !connection_send_interim(ex->connection, "HTTP/1.1 100 Continue\r\n\r\n"))
        return CLOSE;
    len = arrived(body);
    may = may_read(body, len);
    if (may && !read_some(body, len))
        return body->cut ? CLOSE : MORE;
    if (!socket_poll_add(loop_sockets(ex->connection->loop), &body->watch,
                         ex->connection->fd)) {
        (void)body_refuse(ex, PROBLEM_OVERLOADED,
                          "the system has no memory to wait for this body; try again");
        return MORE;
    }
    connection_await_body(ex->connection);
    if (!may || needs_turn(body))
        await_turn(body, arrived(body));
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

void chunked_body_free(struct chunked_body *body)
{
    if (body)
        stop_waiting(body);
    free(body);
}
