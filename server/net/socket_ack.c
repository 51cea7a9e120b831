/* SPDX-License-Identifier: Apache-2.0
 * socket_ack.c - TCP_QUICKACK, which sends an acknowledgement that is due. */
#include "server/net/socket_ack.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

void socket_ack_now(int fd)
{
    const int on = 1;

    (void)!setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}
