/* SPDX-License-Identifier: Apache-2.0
 * lobby.h - where a client waits that came when there was no room, until it is known what it
 * asks for: health is let in at any level of overload, all else is told 503. A few clients wait
 * at once, for a fifth of a second; one more takes the place of the oldest, so that those who
 * say nothing keep nobody out. On the main thread. */
#ifndef SERVER_LOBBY_H
#define SERVER_LOBBY_H

#include <stdbool.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/http/door.h"

enum { LOBBY_PLACES = 32 };

struct lobby;

struct lobby_client {
    int fd;
    enum door door;
    struct sockaddr_storage addr;
    socklen_t len;
};

/* What becomes of a client; both take the descriptor. */
struct lobby_ways {
    /* Its whole head is there and asks for health; of TLS it is known only that it speaks.
     * False: there is no place now, and it waits on. */
    bool (*admit)(void *context, const struct lobby_client *client);
    void (*refuse)(void *context, const struct lobby_client *client);
    void *context;
};

/* NULL: out of memory. */
struct lobby *lobby_new(uv_loop_t *uv, const struct lobby_ways *ways);
/* Refuses who still waits. The memory goes when uv has run. NULL: nothing */
void lobby_free(struct lobby *lobby);

/* Takes the descriptor, which does not block. */
void lobby_enter(struct lobby *lobby, const struct lobby_client *client);

#endif
