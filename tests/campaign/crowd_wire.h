/* SPDX-License-Identifier: Apache-2.0
 * crowd_wire.h - a connection that never blocks: TCP on loopback, or TLS over it. */
#pragma once

#include <gnutls/gnutls.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Results of sending and receiving that are no number of bytes. */
enum { WIRE_LATER = 0, WIRE_ENDED = -1, WIRE_RESET = -2 };

struct crowd_wire {
    int fd;
    gnutls_session_t tls; /* NULL without TLS */
};

struct crowd_address {
    uint32_t from; /* the client's own IPv4 address, in network order */
    uint16_t port; /* of the server on 127.0.0.1 */
    bool is_tls;
};

/* Begins to connect; receive_buffer 0 leaves the kernel's size. False if the machine refuses.
 * */
bool crowd_wire_open(struct crowd_wire *wire, const struct crowd_address *address,
                     int receive_buffer);

/* Closes at once, with a reset. */
void crowd_wire_close(struct crowd_wire *wire);

/* A step of the handshake: 1 when it is over, WIRE_LATER, or WIRE_RESET. */
int crowd_wire_shake(struct crowd_wire *wire);

/* Sends and receive as much as is possible now. After WIRE_LATER the same bytes must be sent.
 * With buffer NULL, which plain TCP alone allows, the received bytes are dropped. */
ssize_t crowd_wire_send(struct crowd_wire *wire, const char *data, size_t len);
ssize_t crowd_wire_receive(struct crowd_wire *wire, char *buffer, size_t size);

/* Whether bytes wait that epoll does not know of. */
bool crowd_wire_has_more(const struct crowd_wire *wire);
