/* SPDX-License-Identifier: Apache-2.0
 * lingering.c - see lingering.h. Works on the socket, below TLS, since dropped bytes need not
 * be decrypted. All connections have equal time, so the list is in the order of deadlines. */
#include "server/net/lingering.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "server/net/socket_poll.h"
#include "server/shared.h"

enum { LEAST_BYTES = 64 << 20 }; /* dropped for a client, however small --max-body is */

struct lingering_socket {
    struct lingering_socket *next, *prev; /* younger, older connection */
    struct lingering *lingering;
    struct socket_watch watch;
    uint64_t left; /* bytes that may still be dropped */
    uint64_t until_ms;
    struct peer *peer;
};

struct lingering {
    struct service *service;
    struct socket_poll *sockets;
    void (*gone)(void *context, struct peer *peer);
    void *context;
    uint64_t ms;       /* from the start of lingering to its deadline */
    size_t max, count; /* most connections that may linger here, and those that do now */
    uv_timer_t timer;  /* fires at the deadline of the first connection in the list */
    struct lingering_socket *first, *last;
    bool stopped;
};

/* ---- dropping bytes ---------------------------------------------------------------------- */

/* MSG_TRUNC spares the kernel copying the bytes of TCP (tcp(7)); those of a unix socket it
 * copies. False: the client has closed its side, or the connection is broken, or `left` is used
 * up. */
static bool drop_bytes(int fd, uint64_t *left)
{
    char unread[LINGERING_READ_BYTES];
    ssize_t got = recv(fd, unread, sizeof unread, MSG_DONTWAIT | MSG_TRUNC);

    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (got == 0 || (uint64_t)got >= *left)
        return false;
    *left -= (uint64_t)got;
    return true;
}

/* ---- the list --------------------------------------------------------------------------- */

static void finish(struct lingering_socket *socket)
{
    struct lingering *lingering = socket->lingering;

    if (socket->prev)
        socket->prev->next = socket->next;
    else
        lingering->first = socket->next;
    if (socket->next)
        socket->next->prev = socket->prev;
    else
        lingering->last = socket->prev;
    socket_poll_remove(lingering->sockets, &socket->watch);
    close(socket->watch.fd);
    lingering->count--;
    atomic_fetch_sub(&lingering->service->lingering, 1);
    if (lingering->gone)
        lingering->gone(lingering->context, socket->peer);
    free(socket);
}

static void on_readable(void *owner)
{
    struct lingering_socket *socket = owner;

    if (!drop_bytes(socket->watch.fd, &socket->left))
        finish(socket);
}

static void on_timer(uv_timer_t *timer);

/* The timer may fire early, for a connection that has gone meanwhile, and a millisecond late
 * where several are due: libuv runs a timer of 0 again in the same iteration. */
static void wait_for_first(struct lingering *lingering)
{
    uint64_t now = uv_now(lingering->timer.loop), until = lingering->first->until_ms;

    uv_timer_start(&lingering->timer, on_timer, until > now ? until - now : 1, 0);
}

static void on_timer(uv_timer_t *timer)
{
    struct lingering *lingering = timer->data;

    for (int i = 0; i < LINGERING_CLOSES && lingering->first &&
                    lingering->first->until_ms <= uv_now(timer->loop);
         i++)
        finish(lingering->first);
    if (lingering->first)
        wait_for_first(lingering);
}

static void add(struct lingering *lingering, struct lingering_socket *socket)
{
    socket->prev = lingering->last;
    if (lingering->last)
        lingering->last->next = socket;
    else
        lingering->first = socket;
    lingering->last = socket;
    lingering->count++;
    if (!uv_is_active((uv_handle_t *)&lingering->timer))
        wait_for_first(lingering);
}

/* ---- keeping a connection --------------------------------------------------------------- */

/* The client has sent bytes that are unread, or may still send some: its side is open. */
static bool may_send(int fd, bool unfinished)
{
    char byte;
    ssize_t got = recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);

    return got > 0 || (got < 0 && unfinished &&
                       (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR));
}

/* Counts one more connection; at the limit closes the oldest. False: there is none to close. */
static bool reserve_slot(struct lingering *lingering)
{
    struct service *service = lingering->service;
    uint64_t share = service->config.max_connections / LINGERING_SHARE;
    bool below_share = atomic_fetch_add(&service->lingering, 1) < (share > 0 ? share : 1);

    if (below_share && lingering->count < lingering->max)
        return true;
    if (lingering->first) {
        finish(lingering->first);
        return true;
    }
    atomic_fetch_sub(&service->lingering, 1);
    return false;
}

/* NULL: out of memory or descriptors, or the kernel cannot poll one more socket. */
static struct lingering_socket *socket_new(struct lingering *lingering, int fd)
{
    const uint64_t max_body = lingering->service->config.max_body;
    struct lingering_socket *socket = calloc(1, sizeof *socket);

    if (!socket)
        return NULL;
    socket->lingering = lingering;
    socket->left = max_body > LEAST_BYTES ? max_body : LEAST_BYTES;
    socket->until_ms = uv_now(lingering->timer.loop) + lingering->ms;
    socket->watch.on_readable = on_readable;
    socket->watch.owner = socket;
    fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0 && socket_poll_add(lingering->sockets, &socket->watch, fd))
        return socket;
    if (fd >= 0)
        close(fd);
    free(socket);
    return NULL;
}

bool lingering_keep(struct lingering *lingering, int fd, struct peer *peer, bool unfinished)
{
    struct lingering_socket *socket;

    if (lingering->stopped || !may_send(fd, unfinished) || !reserve_slot(lingering))
        return false;
    socket = socket_new(lingering, fd);
    if (!socket) {
        atomic_fetch_sub(&lingering->service->lingering, 1);
        return false;
    }
    socket->peer = peer;
    shutdown(fd, SHUT_WR); /* TLS has ended its own stream only */
    add(lingering, socket);
    return true;
}

/* ---- life ------------------------------------------------------------------------------- */

struct lingering *lingering_new(struct service *service, struct socket_poll *sockets,
                                uint64_t ms, size_t max,
                                void (*gone)(void *context, struct peer *peer), void *context)
{
    struct lingering *lingering = calloc(1, sizeof *lingering);

    if (!lingering)
        return NULL;
    *lingering = (struct lingering){.service = service,
                                    .sockets = sockets,
                                    .ms = ms,
                                    .max = max,
                                    .gone = gone,
                                    .context = context};
    uv_timer_init(socket_poll_uv(sockets), &lingering->timer); /* cannot fail */
    lingering->timer.data = lingering;
    return lingering;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void lingering_free(struct lingering *lingering)
{
    if (!lingering)
        return;
    lingering->stopped = true;
    while (lingering->first)
        finish(lingering->first);
    uv_close((uv_handle_t *)&lingering->timer, on_timer_closed);
}
