/* SPDX-License-Identifier: Apache-2.0
 * loop.c - see loop.h. */
#include "server/net/loop.h"

#include <unistd.h>

#include "server/net/address_limit.h"
#include "server/net/inflight.h"
#include "server/net/loop_state.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

enum { HEARTBEAT_MS = 5000 };

/* ---- any thread ---------------------------------------------------------------------- */

static void uncount(struct loop *loop, const struct sockaddr *addr)
{
    address_limit_leave(loop->service->address_limit, addr);
    atomic_fetch_sub(&loop->connections, 1);
    atomic_fetch_sub(&loop->service->connections, 1);
}

void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len,
               enum listener_kind listener_kind)
{
    atomic_fetch_add(&loop->connections, 1);
    atomic_fetch_add(&loop->service->connections, 1);
    if (mailbox_add_socket(&loop->box, fd, addr, len, listener_kind)) {
        uv_async_send(&loop->async);
        return;
    }
    close(fd); /* out of memory */
    uncount(loop, addr);
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

struct inflight_account *loop_account(const struct loop *loop)
{
    return inflight_account(loop->service, loop->index);
}

const struct secret_set *loop_secrets(const struct loop *loop)
{
    return &loop->secrets;
}

uv_loop_t *loop_uv(struct loop *loop)
{
    return &loop->uv;
}

struct socket_poll *loop_sockets(const struct loop *loop)
{
    return loop->sockets;
}

uint64_t loop_now_ms(const struct loop *loop)
{
    return uv_now(&loop->uv);
}

void loop_run_daemon(struct loop *loop)
{
    loop->run = true;
}

void loop_connection_closed(struct loop *loop, const struct sockaddr *addr)
{
    metrics_connections(loop_metrics(loop), -1);
    uncount(loop, addr);
}
