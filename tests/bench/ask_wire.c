/* SPDX-License-Identifier: Apache-2.0
 * ask_wire.c - connects, sends and receives; the certificate of a TLS server is not checked. */
#include "tests/bench/ask_wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { SCRATCH = 1 << 20, AT_ONCE = 1 << 30 };

static bool connect_tcp(struct wire *wire, const char *port)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)strtol(port, NULL, 10)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int on = 1;

    wire->fd = socket(AF_INET, SOCK_STREAM, 0);
    return wire->fd >= 0 &&
           setsockopt(wire->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           connect(wire->fd, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool connect_unix(struct wire *wire, const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};

    wire->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return wire->fd >= 0 &&
           snprintf(to.sun_path, sizeof to.sun_path, "%s", path) < (int)sizeof to.sun_path &&
           connect(wire->fd, (struct sockaddr *)&to, sizeof to) == 0;
}

static bool start_tls(struct wire *wire)
{
    static gnutls_certificate_credentials_t credentials;
    int result;

    if (!credentials && gnutls_certificate_allocate_credentials(&credentials) < 0)
        return false;
    if (gnutls_init(&wire->tls, GNUTLS_CLIENT) < 0 ||
        gnutls_set_default_priority(wire->tls) < 0 ||
        gnutls_credentials_set(wire->tls, GNUTLS_CRD_CERTIFICATE, credentials) < 0)
        return false;
    gnutls_transport_set_int(wire->tls, wire->fd);
    do
        result = gnutls_handshake(wire->tls);
    while (result < 0 && !gnutls_error_is_fatal(result));
    return result == 0;
}

bool wire_open(struct wire *wire, const char *address)
{
    const bool tls = strncmp(address, "tls:", 4) == 0;

    *wire = (struct wire){.fd = -1, .is_tcp = !tls && *address != '/'};
    if (*address == '/')
        return connect_unix(wire, address);
    return connect_tcp(wire, tls ? address + 4 : address) && (!tls || start_tls(wire));
}

void wire_close(struct wire *wire)
{
    if (wire->tls)
        gnutls_deinit(wire->tls);
    if (wire->fd >= 0)
        close(wire->fd);
    *wire = (struct wire){.fd = -1};
}

bool wire_send(struct wire *wire, const char *data, size_t len)
{
    while (len > 0) {
        const ssize_t sent = wire->tls ? gnutls_record_send(wire->tls, data, len)
                                       : send(wire->fd, data, len, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        data += sent;
        len -= (size_t)sent;
    }
    return true;
}

ssize_t wire_receive(struct wire *wire, char *buffer, size_t size)
{
    static char scratch[SCRATCH];
    ssize_t got;

    if (!buffer && wire->is_tcp) {
        got = recv(wire->fd, NULL, size < AT_ONCE ? size : AT_ONCE, MSG_TRUNC);
        return got > 0 ? got : -1;
    }
    if (!buffer) {
        buffer = scratch;
        size = size < SCRATCH ? size : SCRATCH;
    }
    if (!wire->tls) {
        got = recv(wire->fd, buffer, size, 0);
        return got > 0 ? got : -1;
    }
    got = gnutls_record_recv(wire->tls, buffer, size);
    if (got == GNUTLS_E_AGAIN || got == GNUTLS_E_INTERRUPTED) /* a ticket for a later session */
        return 0;
    return got > 0 ? got : -1;
}

bool wire_has_more(const struct wire *wire)
{
    return wire->tls && gnutls_record_check_pending(wire->tls) > 0;
}
