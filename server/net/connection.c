/* SPDX-License-Identifier: Apache-2.0
 * connection.c - phases and absolute deadlines of a client connection. libmicrohttpd's clock
 * counts inactivity, which one byte a second defeats; ours counts from the start of a phase. */
#include "server/net/connection.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/exchange/exchange.h"
#include "server/files/certificate.h"
#include "server/http/head.h"
#include "server/http/transport.h"
#include "server/net/loop.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

enum {
    HANDSHAKE_MS = 5000,    /* for the whole TLS handshake */
    REQUESTS_MAX = 10000,   /* on one connection, to balance loops and bound leaks */
    PRESSED_IDLE_MS = 5000, /* between requests under overload */
    DRAIN_GRACE_MS = 1000,  /* for the next request when draining */
    GUEST_MS = 1000,        /* for each phase of a connection that may only ask for health */
    LOOK_MS = 500,          /* until a silent client is checked for having left */
    BODY_BYTES_A_SECOND = 32768, /* the slowest upload that is never cut off */
};

/* ---- life -------------------------------------------------------------------------- */

/* Returns when the connection has the age of --max-connection-age, give or take a tenth:
 * clients that came together leave one after the other. */
static uint64_t draw_age(const struct loop *loop)
{
    const uint64_t age = loop_service(loop)->config.max_connection_age_ms;
    uint64_t drawn; /* of 32 bits */

    if (age == 0)
        return UINT64_MAX;
    drawn = uv_hrtime() * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    return loop_now_ms(loop) + age - age / 10 + age / 5 * drawn / UINT32_MAX;
}

struct connection *connection_new(struct loop *loop, struct transport_connection *wire, int fd,
                                  const struct socket_given *given)
{
    const enum listener_kind listener_kind = given->listener_kind;
    struct connection *connection = malloc(sizeof *connection);

    if (!connection)
        return NULL;
    *connection = (struct connection){.loop = loop,
                                      .wire = wire,
                                      .fd = fd,
                                      .peer = given->peer,
                                      .aged_ms = draw_age(loop),
                                      .listener_kind = listener_kind};
    if (listener_kind_is_guest(listener_kind))
        atomic_fetch_add(&loop_service(loop)->guests, 1);
    if (!listener_kind_is_tls(listener_kind) || connection_handshake_prepare(connection)) {
        connection_enter(connection,
                         listener_kind_is_tls(listener_kind) ? PHASE_HANDSHAKE : PHASE_HEAD);
        return connection;
    }
    connection_free(connection);
    return NULL;
}

void connection_free(struct connection *connection)
{
    if (!connection)
        return;
    assert(!connection->turn.behind); /* else it would have a turn when it is gone */
    if (listener_kind_is_guest(connection->listener_kind))
        atomic_fetch_sub(&loop_service(connection->loop)->guests, 1);
    if (connection->leaving)
        loop_count_leaving(connection->loop, -1);
    head_clear(&connection->head);
    certificate_drop(connection->certificate);
    free(connection->subject);
    free(connection);
}

static const struct config *config_of(const struct connection *connection)
{
    return &loop_service(connection->loop)->config;
}

static bool overloaded(const struct connection *connection, enum overload_effect effect)
{
    return service_overload_has(loop_service(connection->loop), effect);
}

/* libmicrohttpd does not report the first byte of a later request, so that idle and head time
 * of later requests are one clock; only the first request gets the shorter header timeout. */
static uint64_t head_ms(const struct connection *connection)
{
    const struct config *config = config_of(connection);

    if (connection->requests == 0)
        return config->header_timeout_ms;
    if (overloaded(connection, OVERLOAD_CLOSE_IDLE) &&
        config->idle_timeout_ms > PRESSED_IDLE_MS)
        return PRESSED_IDLE_MS;
    return config->idle_timeout_ms;
}

/* Returns when to check whether the client has left. With epoll libmicrohttpd misses an end of
 * stream that comes with the last bytes before it, so a client that asked and left would stay
 * until its idle deadline. One check after the bytes finds it; the next follow after twice the
 * time each, since thousands may be idle. libmicrohttpd watches no suspended connection, so a
 * suspended connection is checked every LOOK_MS. */
static uint64_t look_ms(const struct connection *connection)
{
    uint64_t since = connection->since_ms, looked = connection->looked_ms;

    if (connection->phase == PHASE_SEND)
        return UINT64_MAX;
    if (looked < since + LOOK_MS)
        return since + LOOK_MS;
    return looked + (connection->phase == PHASE_WORK ? LOOK_MS : looked - since);
}

/* The loop must sweep when the deadline passes, and when the client has to be checked. */
static void wait_for_sweep(const struct connection *connection)
{
    uint64_t look = look_ms(connection), deadline = connection->deadline_ms;

    if (deadline != 0)
        loop_sweep_by(connection->loop, deadline < look ? deadline : look);
}

void connection_enter(struct connection *connection, enum connection_phase phase)
{
    const struct config *config = config_of(connection);
    uint64_t ms = 0;

    switch (phase) {
    case PHASE_HANDSHAKE:
        ms =
            config->header_timeout_ms < HANDSHAKE_MS ? config->header_timeout_ms : HANDSHAKE_MS;
        break;
    case PHASE_HEAD:
        ms = head_ms(connection);
        break;
    case PHASE_BODY:
        ms = config->body_timeout_ms;
        break;
    case PHASE_WORK:
        if (connection->work_until_ms != 0) {
            connection->deadline_ms = connection->work_until_ms;
            wait_for_sweep(connection);
            return;
        }
        ms = config->work_timeout_ms;
        break;
    case PHASE_SEND:
        ms = config->send_timeout_ms;
        break;
    }
    if (listener_kind_is_guest(connection->listener_kind) && ms > GUEST_MS)
        ms = GUEST_MS;
    connection->phase = phase;
    connection->since_ms = loop_now_ms(connection->loop);
    connection->sent = connection->received = connection->calls = 0;
    connection->pace = (struct reader_pace){.looked_ms = 0};
    connection->deadline_ms = connection->since_ms + ms;
    wait_for_sweep(connection);
}

void connection_received(struct connection *connection, size_t bytes)
{
    connection->received += bytes;
    connection->deadline_ms = connection->since_ms + config_of(connection)->body_timeout_ms +
                              connection->received * 1000 / BODY_BYTES_A_SECOND;
}

void connection_progress(struct connection *connection, uint64_t sent)
{
    loop_called(connection->loop);
    if (listener_kind_is_guest(connection->listener_kind))
        return;
    connection->sent = sent;
    connection->calls++;
    connection->deadline_ms = connection->since_ms + config_of(connection)->send_timeout_ms +
                              sent * 1000 / READER_PACE_BYTES_A_SECOND;
    wait_for_sweep(connection);
}

void connection_extend(struct connection *connection, uint64_t ms)
{
    connection->deadline_ms = loop_now_ms(connection->loop) + ms;
    wait_for_sweep(connection);
}

void connection_suspend(struct connection *connection)
{
    connection->suspended = true;
    connection_enter(connection, PHASE_WORK);
    transport_suspend(connection->wire);
}

void connection_resume(struct connection *connection)
{
    connection->suspended = false;
    connection->deadline_ms = 0; /* none until the next phase: an answer, or another wait */
    transport_resume(connection->wire);
    loop_run_daemon(connection->loop);
}

void connection_share_work(struct connection *connection)
{
    connection_enter(connection, PHASE_WORK);
    connection->work_until_ms = connection->deadline_ms;
}

void connection_hold(struct connection *connection, uint64_t ms)
{
    connection_enter(connection, PHASE_WORK);
    connection->work_until_ms = loop_now_ms(connection->loop) + ms;
}

void connection_await_turn(struct connection *connection, uint64_t peer, double operations,
                           turn_begin *begin)
{
    connection->paused_ms = loop_now_ms(connection->loop);
    loop_await_turn(connection->loop, connection, peer, operations, begin);
}

/* The time that the connection waits for its turn is not the client's, who sends or reads. A
 * handshake and work have their time in all. */
static bool turn_is_free(const struct connection *connection)
{
    return connection->phase == PHASE_BODY || connection->phase == PHASE_SEND;
}

void connection_take_turn(struct connection *connection)
{
    const uint64_t waited = loop_now_ms(connection->loop) - connection->paused_ms;

    if (!turn_is_free(connection))
        return;
    connection->since_ms += waited;
    if (connection->deadline_ms != 0)
        connection->deadline_ms += waited;
}

static void on_turn(struct connection *connection)
{
    connection_take_turn(connection);
    connection->turn.begun = true;
    transport_resume(connection->wire);
}

void connection_yield(struct connection *connection, uint64_t peer, double operations)
{
    if (connection->work_until_ms != 0)
        connection_enter(connection, PHASE_WORK);
    transport_suspend(connection->wire);
    connection_await_turn(connection, peer, operations, on_turn);
}

void connection_pause(struct connection *connection)
{
    connection->suspended = true;
    connection->deadline_ms = 0;
    connection->paused_ms = loop_now_ms(connection->loop);
    transport_suspend(connection->wire);
}

void connection_unpause(struct connection *connection)
{
    connection->since_ms += loop_now_ms(connection->loop) - connection->paused_ms;
}

void connection_await_body(struct connection *connection)
{
    connection->suspended = true;
    transport_suspend(connection->wire);
}

bool connection_must_close(const struct connection *connection)
{
    return connection->head.chunked || connection->requests + 1 >= REQUESTS_MAX ||
           loop_now_ms(connection->loop) >= connection->aged_ms ||
           overloaded(connection, OVERLOAD_CLOSE_CONNECTIONS) ||
           listener_kind_is_guest(connection->listener_kind) ||
           service_state(loop_service(connection->loop)) >= SERVICE_DRAINING;
}

void connection_request_over(struct connection *connection)
{
    head_clear(&connection->head);
    connection->requests++;
    connection->work_until_ms = 0;
    connection->turn.begun = false;
    connection_enter(connection, PHASE_HEAD);
}

static bool has_left(struct connection *connection, uint64_t now_ms)
{
    char byte;

    if (now_ms < look_ms(connection))
        return false;
    connection->looked_ms = now_ms;
    return recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0 ||
           connection_handshake_is_abandoned(connection);
}

void connection_shorten_idle(struct connection *connection, uint64_t now_ms)
{
    uint64_t pressed_ms = now_ms + PRESSED_IDLE_MS;

    if (connection->phase == PHASE_HEAD && connection->requests > 0 &&
        connection->deadline_ms > pressed_ms && overloaded(connection, OVERLOAD_CLOSE_IDLE))
        connection->deadline_ms = pressed_ms;
}

/* A client is late by its own time alone: not while its connection waits for a turn, and bytes
 * of a body that have arrived count as if they had been read. */
static bool is_late(const struct connection *connection, uint64_t now_ms)
{
    uint64_t arrived = 0;

    if (now_ms < connection->deadline_ms)
        return false;
    if (turn_is_free(connection) && connection->turn.behind)
        return false;
    if (connection->phase == PHASE_BODY)
        arrived = connection_arrived(connection);
    return now_ms >= connection->deadline_ms + arrived * 1000 / BODY_BYTES_A_SECOND;
}

void connection_sweep(struct connection *connection, uint64_t now_ms)
{
    bool late;

    connection_shorten_idle(connection, now_ms);
    late = is_late(connection, now_ms);
    if (connection->deadline_ms == 0 || (!late && !has_left(connection, now_ms))) {
        wait_for_sweep(connection);
        return;
    }
    if (connection->phase == PHASE_WORK && !late) {
        exchange_client_gone(connection);
        wait_for_sweep(connection);
        return;
    }
    connection->deadline_ms = 0;
    if (connection->phase == PHASE_WORK)
        exchange_expire(connection);
    else if (connection->phase == PHASE_SEND)
        exchange_cut(connection, "its client did not read it within --send-timeout");
    else /* libmicrohttpd sees the end of the stream and closes; it aborts if we close */
        shutdown(connection->fd, SHUT_RDWR);
    connection_handshake_give_up(connection);
}

void connection_reset(struct connection *connection)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    connection->deadline_ms = 0;
    (void)!setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    shutdown(connection->fd, SHUT_RDWR);
    loop_run_daemon(connection->loop);
}

void connection_drain(struct connection *connection, uint64_t now_ms)
{
    bool idle = connection->requests > 0;
    uint64_t until = (idle ? connection->since_ms : now_ms) + DRAIN_GRACE_MS;

    if (connection->phase != PHASE_HEAD && connection->phase != PHASE_HANDSHAKE)
        return;
    if (until <= now_ms)
        shutdown(connection->fd, SHUT_RD);
    else if (connection->deadline_ms > until)
        connection->deadline_ms = until;
    wait_for_sweep(connection);
}
