/* SPDX-License-Identifier: Apache-2.0
 * crowd_wire.c - see crowd_wire.h; the certificate of a TLS server is not checked. */
#include "tests/campaign/crowd_wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

static bool start_tls(struct crowd_wire *wire)
{
    static gnutls_certificate_credentials_t credentials;

    if (!credentials && gnutls_certificate_allocate_credentials(&credentials) < 0)
        return false;
    if (gnutls_init(&wire->tls, GNUTLS_CLIENT | GNUTLS_NONBLOCK) < 0 ||
        gnutls_set_default_priority(wire->tls) < 0 ||
        gnutls_credentials_set(wire->tls, GNUTLS_CRD_CERTIFICATE, credentials) < 0)
        return false;
    gnutls_transport_set_int(wire->tls, wire->fd);
    gnutls_handshake_set_timeout(wire->tls, GNUTLS_INDEFINITE_TIMEOUT);
    return true;
}

bool crowd_wire_open(struct crowd_wire *wire, const struct crowd_address *address,
                     int receive_buffer)
{
    const struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = address->from};
    const struct sockaddr_in to = {.sin_family = AF_INET,
                                   .sin_port = htons(address->port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct linger reset = {.l_onoff = 1};
    const int on = 1;

    *wire = (struct crowd_wire){
        .fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (wire->fd < 0)
        return false;
    if (receive_buffer && setsockopt(wire->fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer,
                                     sizeof receive_buffer) != 0)
        return false;
    if (setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
        setsockopt(wire->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset) != 0 ||
        setsockopt(wire->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) != 0 ||
        bind(wire->fd, (const struct sockaddr *)&from, sizeof from) != 0)
        return false;
    if (connect(wire->fd, (const struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)
        return false;
    return !address->is_tls || start_tls(wire);
}

void crowd_wire_close(struct crowd_wire *wire)
{
    if (wire->tls)
        gnutls_deinit(wire->tls);
    if (wire->fd >= 0)
        close(wire->fd);
    *wire = (struct crowd_wire){.fd = -1};
}

/* Translates the result of a call of gnutls. */
static ssize_t tls_result(ssize_t result)
{
    if (result == GNUTLS_E_AGAIN || result == GNUTLS_E_INTERRUPTED ||
        (result < 0 && !gnutls_error_is_fatal((int)result)))
        return WIRE_LATER;
    if (result == GNUTLS_E_PREMATURE_TERMINATION)
        return WIRE_ENDED;
    return result < 0 ? WIRE_RESET : result;
}

static ssize_t tcp_result(ssize_t result)
{
    if (result >= 0)
        return result;
    return errno == EAGAIN || errno == EINTR ? WIRE_LATER : WIRE_RESET;
}

int crowd_wire_shake(struct crowd_wire *wire)
{
    int error = 0;
    socklen_t len = sizeof error;

    if (getsockopt(wire->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error)
        return WIRE_RESET;
    const int result = wire->tls ? gnutls_handshake(wire->tls) : 0;
    if (result != 0)
        return gnutls_error_is_fatal(result) ? WIRE_RESET : WIRE_LATER;
    return 1;
}

ssize_t crowd_wire_send(struct crowd_wire *wire, const char *data, size_t len)
{
    return wire->tls ? tls_result(gnutls_record_send(wire->tls, data, len))
                     : tcp_result(send(wire->fd, data, len, MSG_NOSIGNAL));
}

ssize_t crowd_wire_receive(struct crowd_wire *wire, char *buffer, size_t size)
{
    ssize_t got;

    if (wire->tls) {
        got = gnutls_record_recv(wire->tls, buffer, size);
        return got == 0 ? WIRE_ENDED : tls_result(got);
    }
    got = recv(wire->fd, buffer, size, buffer ? 0 : MSG_TRUNC);
    return got == 0 ? WIRE_ENDED : tcp_result(got);
}

bool crowd_wire_has_more(const struct crowd_wire *wire)
{
    return wire->tls && gnutls_record_check_pending(wire->tls) > 0;
}
