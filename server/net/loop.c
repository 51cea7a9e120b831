/* SPDX-License-Identifier: Apache-2.0
 * loop.c - see loop.h. */
#include "server/net/loop.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "server/net/loop_state.h"
#include "server/net/peers.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

enum { HEARTBEAT_MS = 5000 };

/* ---- any thread ---------------------------------------------------------------------- */

static void uncount(struct loop *loop, struct peer *peer)
{
    peers_leave(loop->service->peers, peer);
    atomic_fetch_sub(&loop->connections, 1);
    atomic_fetch_sub(&loop->service->connections, 1);
}

void loop_give_entered(struct loop *loop, const struct socket_given *given)
{
    atomic_fetch_add(&loop->connections, 1);
    atomic_fetch_add(&loop->service->connections, 1);
    if (mailbox_add_socket(&loop->box, given)) {
        uv_async_send(&loop->async);
        return;
    }
    close(given->fd); /* out of memory */
    uncount(loop, given->peer);
}

void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len,
               enum listener_kind listener_kind)
{
    struct socket_given given = {.fd = fd, .listener_kind = listener_kind, .len = len};

    assert(len <= sizeof given.addr);
    memcpy(&given.addr, addr, len);
    if (peers_enter(loop->service->peers, (const struct sockaddr *)&given.addr, true,
                    &given.peer) == PEERS_ENTERED)
        loop_give_entered(loop, &given);
    else
        close(fd); /* out of memory */
}

void loop_post(struct loop *loop, struct loop_post *node)
{
    if (mailbox_add_post(&loop->box, node))
        uv_async_send(&loop->async);
}

void loop_signal(struct loop *loop, bool *flag)
{
    mailbox_set(&loop->box, flag);
    uv_async_send(&loop->async);
}

void loop_drain(struct loop *loop)
{
    loop_signal(loop, &loop->box.mail.drain);
}

uint64_t loop_heartbeat_ms(const struct loop *loop)
{
    return atomic_load_explicit(&loop->heartbeat_ms, memory_order_relaxed);
}

size_t loop_leaving(const struct loop *loop)
{
    return atomic_load(&loop->draining) ? atomic_load(&loop->leaving) : SIZE_MAX;
}

void loop_count_leaving(struct loop *loop, int change)
{
    atomic_fetch_add(&loop->leaving, (size_t)change);
}

bool loop_is_alive(const struct loop *loop, uint64_t now_ms)
{
    return loop_heartbeat_ms(loop) + HEARTBEAT_MS > now_ms;
}

size_t loop_connections(const struct loop *loop)
{
    return atomic_load_explicit(&loop->connections, memory_order_relaxed);
}

/* ---- the thread of the loop ------------------------------------------------------------ */

void loop_called(struct loop *loop)
{
    loop->guard.calls++;
}

void loop_sweep_by(struct loop *loop, uint64_t ms)
{
    if (ms < loop->sweep_ms)
        loop->sweep_ms = ms;
}

bool loop_is_first(const struct loop *loop)
{
    return loop->index == 0;
}

struct service *loop_service(const struct loop *loop)
{
    return loop->service;
}

struct exchange_loop *loop_exchanges(const struct loop *loop)
{
    return loop->exchanges;
}

struct metrics_slab *loop_metrics(const struct loop *loop)
{
    return metrics_slab(loop->service->metrics, loop->index);
}

const struct secret_set *loop_secrets(const struct loop *loop)
{
    return &loop->secrets;
}

struct socket_poll *loop_sockets(const struct loop *loop)
{
    return loop->sockets;
}

struct socket_poll *loop_lingering_sockets(const struct loop *loop)
{
    return loop->lingering_sockets;
}

struct turn_queue *loop_turns(struct loop *loop)
{
    return &loop->turns;
}

void loop_await_turn(struct loop *loop, struct connection *connection, uint64_t peer,
                     double operations, turn_begin *begin)
{
    turn_queue_add(&loop->turns, connection, peer, operations, begin);
    loop_run_daemon(loop);
}

uint64_t loop_now_ms(const struct loop *loop)
{
    return uv_now(&loop->uv);
}

void loop_run_daemon(struct loop *loop)
{
    loop->run = true;
}

void loop_connection_closed(struct loop *loop, struct peer *peer)
{
    metrics_connections(loop_metrics(loop), -1);
    uncount(loop, peer);
}
