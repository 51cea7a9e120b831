/* SPDX-License-Identifier: Apache-2.0
 * ask_wire.h - a connection of the load generator: TCP on loopback, TLS over it, or a unix
 * socket. */
#pragma once

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <sys/types.h>

struct wire {
    int fd;
    gnutls_session_t tls; /* NULL without TLS */
    bool is_tcp;          /* plain TCP, whose bytes the kernel can drop */
};

/* Connects to "PORT", "tls:PORT" or "/path"; false if that fails. */
bool wire_open(struct wire *wire, const char *address);
void wire_close(struct wire *wire);

/* Waits until everything is sent. */
bool wire_send(struct wire *wire, const char *data, size_t len);

/* Receives at most size bytes; with buffer NULL they are dropped. Returns 0 where none has come
 * yet, and a negative number at an error or at the end of the connection. */
ssize_t wire_receive(struct wire *wire, char *buffer, size_t size);

/* Whether bytes wait that poll() does not know of. */
bool wire_has_more(const struct wire *wire);
