/* SPDX-License-Identifier: Apache-2.0
 * connection_io.c - reads from and writes to the socket of a connection past libmicrohttpd,
 * through TLS where the connection has it. */
#include <errno.h>
#include <gnutls/gnutls.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "server/http/transport.h"
#include "server/net/connection.h"

uint64_t connection_records(const struct connection *connection)
{
    uint64_t records = 0;

    for (unsigned read = 0; read < 2; read++) {
        unsigned char digits[8];
        uint64_t number = 0;

        if (gnutls_record_get_state(transport_session(connection->wire), read, NULL, NULL, NULL,
                                    digits) < 0)
            continue; /* the handshake has only begun */
        for (size_t i = 0; i < sizeof digits; i++)
            number = number << 8 | digits[i];
        records += number;
    }
    return records;
}

ssize_t connection_read(struct connection *connection, char *out, size_t size)
{
    ssize_t got;

    if (connection->certificate) {
        got = gnutls_record_recv(transport_session(connection->wire), out, size);
        if (got == GNUTLS_E_AGAIN || got == GNUTLS_E_INTERRUPTED)
            return CONNECTION_AGAIN;
    } else {
        got = recv(connection->fd, out, size, MSG_DONTWAIT);
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return CONNECTION_AGAIN;
    }
    return got >= 0 ? got : CONNECTION_BROKEN;
}

size_t connection_arrived(const struct connection *connection)
{
    int bytes;

    if (connection_has_pending(connection))
        return gnutls_record_check_pending(transport_session(connection->wire));
    return ioctl(connection->fd, FIONREAD, &bytes) == 0 && bytes > 0 ? (size_t)bytes : 0;
}

bool connection_has_pending(const struct connection *connection)
{
    return connection->certificate &&
           gnutls_record_check_pending(transport_session(connection->wire)) > 0;
}

bool connection_send_interim(struct connection *connection, const char *text)
{
    size_t len = strlen(text);
    ssize_t sent = connection->certificate
                       ? gnutls_record_send(transport_session(connection->wire), text, len)
                       : send(connection->fd, text, len, MSG_DONTWAIT | MSG_NOSIGNAL);

    return sent == (ssize_t)len;
}

void connection_send_last(struct connection *connection, const char *bytes, size_t len)
{
    if (!connection->certificate) {
        (void)!send(connection->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
        (void)!gnutls_record_send(transport_session(connection->wire), bytes, len);
        gnutls_bye(transport_session(connection->wire), GNUTLS_SHUT_WR);
    }
    shutdown(connection->fd, SHUT_WR);
}
