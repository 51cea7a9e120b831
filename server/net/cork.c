/* SPDX-License-Identifier: Apache-2.0
 * cork.c - see cork.h. */
#include "server/net/cork.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "server/net/connection.h"

static bool set(const struct connection *connection, int on)
{
    return setsockopt(connection->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on) == 0;
}

void cork_begin(struct connection *connection)
{
    if (connection->cork == CORK_NEVER)
        return;
    connection->cork = set(connection, 1) ? CORK_ON : CORK_NEVER;
}

void cork_end(struct connection *connection)
{
    if (connection->cork != CORK_ON)
        return;
    set(connection, 0);
    connection->cork = CORK_OFF;
}
