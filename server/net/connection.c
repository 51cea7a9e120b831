/* SPDX-License-Identifier: Apache-2.0
 * connection.c - phases and absolute deadlines of a client connection. libmicrohttpd's clock
 * counts inactivity, which one byte a second defeats; ours counts from the start of a phase. */
#include "server/net/connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/exchange/exchange.h"
#include "server/files/certificate.h"
#include "server/files/secrets.h"
#include "server/http/head.h"
#include "server/net/loop.h"
#include "server/net/socket_ack.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

enum {
    HANDSHAKE_MS = 5000,         /* for the whole TLS handshake */
    REQUESTS_MAX = 10000,        /* on one connection, to balance loops and bound leaks */
    PRESSED_IDLE_MS = 5000,      /* between requests under overload */
    DRAIN_GRACE_MS = 1000,       /* for the next request when draining */
    GUEST_MS = 1000,             /* for each phase of a connection beyond --max-connections */
    LOOK_MS = 500,               /* until a silent client is checked for having left */
    BODY_BYTES_A_SECOND = 32768, /* the slowest upload that is never cut off */
    SEND_BYTES_A_SECOND = 65536, /* the slowest reader that is never cut off */
};

/* ---- TLS --------------------------------------------------------------------------- */

/* The client's last message of the handshake has arrived. */
static int on_finished(gnutls_session_t session, unsigned type, unsigned when,
                       unsigned incoming, const gnutls_datum_t *message)
{
    struct connection *connection = gnutls_session_get_ptr(session);

    (void)type, (void)when, (void)message;
    if (incoming && connection->phase == PHASE_HANDSHAKE) {
        connection_enter(connection, PHASE_HEAD);
        socket_ack_now(connection->fd);
    }
    return 0;
}

static gnutls_session_t session_of(const struct connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection->mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION);

    return info ? info->tls_session : NULL;
}

uint64_t connection_records(const struct connection *connection)
{
    uint64_t records = 0;

    for (unsigned read = 0; read < 2; read++) {
        unsigned char digits[8];
        uint64_t number = 0;

        if (gnutls_record_get_state(session_of(connection), read, NULL, NULL, NULL, digits) < 0)
            continue; /* the handshake has only begun */
        for (size_t i = 0; i < sizeof digits; i++)
            number = number << 8 | digits[i];
        records += number;
    }
    return records;
}

/* The connection keeps the certificate that is current now until it ends. */
static bool prepare_handshake(struct connection *connection)
{
    gnutls_session_t session = session_of(connection);
    const struct secret_set *secrets = loop_secrets(connection->loop);

    connection->certificate = certificate_share(secrets->certificate);
    if (!session || !connection->certificate ||
        !certificate_show(connection->certificate, session))
        return false;
    gnutls_session_set_ptr(session, connection);
    gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_FINISHED, GNUTLS_HOOK_POST,
                                       on_finished);
    return true;
}

/* ---- life -------------------------------------------------------------------------- */

struct connection *connection_new(struct loop *loop, struct MHD_Connection *mhd, int fd,
                                  enum listener_kind listener_kind)
{
    struct connection *connection = malloc(sizeof *connection);

    if (!connection)
        return NULL;
    *connection =
        (struct connection){.loop = loop, .mhd = mhd, .fd = fd, .listener_kind = listener_kind};
    if (listener_kind_is_guest(listener_kind))
        atomic_fetch_add(&loop_service(loop)->guests, 1);
    if (!listener_kind_is_tls(listener_kind) || prepare_handshake(connection)) {
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
    if (listener_kind_is_guest(connection->listener_kind))
        atomic_fetch_sub(&loop_service(connection->loop)->guests, 1);
    if (connection->leaving)
        loop_count_leaving(connection->loop, -1);
    head_clear(&connection->head);
    certificate_drop(connection->certificate);
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
    connection->sent = connection->received = 0;
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
    connection->deadline_ms = connection->since_ms + config_of(connection)->send_timeout_ms +
                              sent * 1000 / SEND_BYTES_A_SECOND;
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
    MHD_suspend_connection(connection->mhd);
}

void connection_resume(struct connection *connection)
{
    connection->suspended = false;
    connection->deadline_ms = 0; /* none until the next phase: an answer, or another wait */
    MHD_resume_connection(connection->mhd);
    loop_run_daemon(connection->loop);
}

void connection_share_work(struct connection *connection)
{
    connection_enter(connection, PHASE_WORK);
    connection->work_until_ms = connection->deadline_ms;
}

void connection_yield(struct connection *connection)
{
    if (connection->work_until_ms != 0)
        connection_enter(connection, PHASE_WORK);
    MHD_suspend_connection(connection->mhd);
    MHD_resume_connection(connection->mhd);
    loop_run_daemon(connection->loop);
}

void connection_pause(struct connection *connection)
{
    connection->suspended = true;
    connection->deadline_ms = 0;
    connection->paused_ms = loop_now_ms(connection->loop);
    MHD_suspend_connection(connection->mhd);
}

void connection_unpause(struct connection *connection)
{
    connection->since_ms += loop_now_ms(connection->loop) - connection->paused_ms;
    connection_resume(connection); /* connection_progress sets the deadline */
}

void connection_await_body(struct connection *connection)
{
    connection->suspended = true;
    MHD_suspend_connection(connection->mhd);
}

bool connection_must_close(const struct connection *connection)
{
    return connection->head.chunked || connection->requests + 1 >= REQUESTS_MAX ||
           overloaded(connection, OVERLOAD_CLOSE_CONNECTIONS) ||
           listener_kind_is_guest(connection->listener_kind) ||
           service_state(loop_service(connection->loop)) >= SERVICE_DRAINING;
}

void connection_request_over(struct connection *connection)
{
    head_clear(&connection->head);
    connection->requests++;
    connection->work_until_ms = 0;
    connection_enter(connection, PHASE_HEAD);
}

static bool has_left(struct connection *connection, uint64_t now_ms)
{
    char byte;

    if (now_ms < look_ms(connection))
        return false;
    connection->looked_ms = now_ms;
    return recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void connection_shorten_idle(struct connection *connection, uint64_t now_ms)
{
    uint64_t pressed_ms = now_ms + PRESSED_IDLE_MS;

    if (connection->phase == PHASE_HEAD && connection->requests > 0 &&
        connection->deadline_ms > pressed_ms && overloaded(connection, OVERLOAD_CLOSE_IDLE))
        connection->deadline_ms = pressed_ms;
}

void connection_sweep(struct connection *connection, uint64_t now_ms)
{
    connection_shorten_idle(connection, now_ms);
    if (connection->deadline_ms == 0 ||
        (now_ms < connection->deadline_ms && !has_left(connection, now_ms))) {
        wait_for_sweep(connection);
        return;
    }
    if (connection->phase == PHASE_WORK && now_ms < connection->deadline_ms) {
        exchange_client_gone(connection);
        wait_for_sweep(connection);
        return;
    }
    connection->deadline_ms = 0;
    if (connection->phase == PHASE_WORK)
        exchange_expire(connection);
    else /* libmicrohttpd sees the end of the stream and closes; it aborts if we close */
        shutdown(connection->fd, SHUT_RDWR);
}

void connection_drop(struct connection *connection)
{
    metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_SLOW_READER);
    connection->deadline_ms = 0;
    shutdown(connection->fd, SHUT_RDWR);
    loop_run_daemon(connection->loop);
}

ssize_t connection_read(struct connection *connection, char *out, size_t size)
{
    ssize_t got;

    if (connection->certificate) {
        got = gnutls_record_recv(session_of(connection), out, size);
        if (got == GNUTLS_E_AGAIN || got == GNUTLS_E_INTERRUPTED)
            return CONNECTION_AGAIN;
    } else {
        got = recv(connection->fd, out, size, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return CONNECTION_AGAIN;
    }
    return got >= 0 ? got : CONNECTION_BROKEN;
}

bool connection_has_pending(const struct connection *connection)
{
    return connection->certificate && gnutls_record_check_pending(session_of(connection)) > 0;
}

bool connection_send_interim(struct connection *connection, const char *text)
{
    size_t len = strlen(text);
    ssize_t sent = connection->certificate
                       ? gnutls_record_send(session_of(connection), text, len)
                       : send(connection->fd, text, len, MSG_DONTWAIT | MSG_NOSIGNAL);

    return sent == (ssize_t)len;
}

void connection_send_last(struct connection *connection, const char *bytes, size_t len)
{
    if (!connection->certificate) {
        (void)!send(connection->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
        (void)!gnutls_record_send(session_of(connection), bytes, len);
        gnutls_bye(session_of(connection), GNUTLS_SHUT_WR);
    }
    shutdown(connection->fd, SHUT_WR);
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
