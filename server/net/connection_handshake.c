/* SPDX-License-Identifier: Apache-2.0
 * connection_handshake.c - the TLS handshake of a connection. libmicrohttpd runs it when bytes
 * arrive, for as many connections as have some. So GnuTLS reads through a function of ours,
 * which reports that no byte has arrived until the loop's allowance suffices for what the bytes
 * cost or the connection has its turn (turn_queue.h). Then it reads until none is left: bytes
 * that come later, of whichever part of the handshake, ask again. */
#include <errno.h>
#include <gnutls/gnutls.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "server/files/certificate.h"
#include "server/files/secrets.h"
#include "server/http/transport.h"
#include "server/net/connection.h"
#include "server/net/loop.h"
#include "server/net/peers.h"
#include "server/net/socket_ack.h"
#include "server/net/turn_queue.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"

enum { LEFT = POLLRDHUP | POLLHUP | POLLERR };

/* ---- what it costs ------------------------------------------------------------------ */

static bool has_signed(const struct connection *connection)
{
    const gnutls_handshake_description_t last =
        gnutls_handshake_get_last_out(transport_session(connection->wire));

    return last == GNUTLS_HANDSHAKE_FINISHED || last == GNUTLS_HANDSHAKE_SERVER_HELLO_DONE;
}

/* Returns the operations that the loop does when it reads the client's next bytes. In TLS 1.3
 * all but a hash is done with the answer to the first message; in TLS 1.2 the keys are
 * exchanged after it. */
static double operations_of(const struct connection *connection)
{
    gnutls_session_t session = transport_session(connection->wire);

    const double client =
        certificate_asks(connection->certificate) ? CERTIFICATE_CLIENT_OPERATIONS : 0;

    if (!has_signed(connection))
        return certificate_operations(connection->certificate);
    return gnutls_protocol_get_version(session) >= GNUTLS_TLS1_3
               ? client
               : client + CERTIFICATE_EXCHANGE_OPERATIONS;
}

/* ---- reading ------------------------------------------------------------------------ */

static int happened(const struct connection *connection)
{
    struct pollfd poller = {.fd = connection->fd, .events = POLLIN | POLLRDHUP};

    return poll(&poller, 1, 0) > 0 ? poller.revents : 0;
}

enum reading { READING_WAITS, READING_GOES_ON, READING_ENDS };

static enum reading ask(struct connection *connection)
{
    const double operations = operations_of(connection);
    int events;

    if (connection->handshake_admitted)
        return READING_GOES_ON;
    if (connection->deadline_ms == 0)
        return READING_ENDS;
    events = happened(connection);
    if (events & LEFT && !has_signed(connection))
        return READING_ENDS;
    if (events == 0)
        return READING_WAITS;
    loop_called(connection->loop);
    if (turn_queue_admits(loop_turns(connection->loop), connection, operations)) {
        connection->handshake_admitted = true;
        return READING_GOES_ON;
    }
    connection_yield(connection, connection->peer->number, operations);
    return READING_WAITS;
}

static ssize_t pull(gnutls_transport_ptr_t pulled, void *out, size_t size)
{
    struct connection *connection = pulled;
    enum reading reading = READING_GOES_ON;
    ssize_t got;

    if (connection->phase == PHASE_HANDSHAKE)
        reading = ask(connection);
    if (reading == READING_ENDS)
        return 0;
    if (reading == READING_WAITS) {
        errno = EAGAIN;
        return -1;
    }
    got = recv(connection->fd, out, size, 0);
    connection->handshake_admitted &= got > 0;
    return got;
}

/* ---- its life ----------------------------------------------------------------------- */

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

/* The client has shown a certificate, or none though it was asked for one. Returns 0, or ends
 * the handshake. */
static int on_certificate(gnutls_session_t session)
{
    struct connection *connection = gnutls_session_get_ptr(session);
    char why[200];

    if (certificate_verify(session, why, sizeof why)) {
        free(connection->subject);
        connection->subject = certificate_subject(session);
        return 0;
    }
    metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_KEY);
    log_event(loop_service(connection->loop)->log, LOG_INFO, "client_certificate_refused",
              (struct log_field[]){{.name = "why", .text = why}, {0}});
    return -1;
}

bool connection_handshake_prepare(struct connection *connection)
{
    gnutls_session_t session = transport_session(connection->wire);
    const struct secret_set *secrets = loop_secrets(connection->loop);

    connection->certificate = certificate_share(secrets->certificate);
    if (!session || !connection->certificate ||
        !certificate_show(connection->certificate, session))
        return false;
    gnutls_session_set_ptr(session, connection);
    if (certificate_asks(connection->certificate)) {
        gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST);
        gnutls_session_set_verify_function(session, on_certificate);
    }
    gnutls_transport_set_ptr2(session, connection,
                              (gnutls_transport_ptr_t)(intptr_t)connection->fd);
    gnutls_transport_set_pull_function(session, pull);
    gnutls_handshake_set_hook_function(session, GNUTLS_HANDSHAKE_FINISHED, GNUTLS_HOOK_POST,
                                       on_finished);
    return true;
}

bool connection_handshake_is_abandoned(const struct connection *connection)
{
    return connection->phase == PHASE_HANDSHAKE && connection->turn.behind &&
           !has_signed(connection) && (happened(connection) & LEFT) != 0;
}

void connection_handshake_give_up(struct connection *connection)
{
    if (connection->phase != PHASE_HANDSHAKE ||
        !turn_queue_leave(loop_turns(connection->loop), connection))
        return;
    connection->deadline_ms = 0;
    transport_resume(connection->wire);
    loop_run_daemon(connection->loop);
}
