/* SPDX-License-Identifier: Apache-2.0
 * loop_thread.c - see loop_thread.h; a second daemon serves TLS. The daemons are run in one
 * place only, before the loop sleeps: after events, after their timeouts, and after every
 * resume, which libmicrohttpd 0.9.75 does not signal. */
#include "server/net/loop_thread.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "server/exchange/exchange.h"
#include "server/http/transport.h"
#include "server/net/daemon.h"
#include "server/net/inflight.h"
#include "server/net/lingering.h"
#include "server/net/loop.h"
#include "server/net/loop_state.h"
#include "server/net/overload.h"
#include "server/net/socket_poll.h"
#include "server/shared.h"
#include "server/sys/metrics.h"

enum { TICK_MS = 100 };

/* ---- running the daemons ------------------------------------------------------------- */

static void on_poll(uv_poll_t *poll, int status, int events)
{
    ((struct loop *)poll->data)->run = true;
}

static void on_timer(uv_timer_t *timer)
{
    struct loop *loop = timer->data;

    loop->timer_ms = UINT64_MAX;
    loop->run = true;
}

/* The timer may fire early, never late: it is only set to an earlier time. */
static void wake_in(struct loop *loop, uint64_t ms)
{
    uint64_t due = ms == UINT64_MAX ? ms : uv_now(&loop->uv) + ms;

    if (due >= loop->timer_ms)
        return;
    loop->timer_ms = due;
    uv_timer_start(&loop->timer, on_timer, ms, 0);
}

/* libmicrohttpd sends and reads small TLS records without a call to us. */
static void count_records(struct loop *loop)
{
    struct daemon *tls = loop->mhd_daemons[TLS].daemon;

    if (tls && busy_loop_guard_is_spinning(&loop->guard) && daemon_moved_records(tls))
        loop_called(loop);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct loop *loop = prepare->data;
    uint64_t soonest = UINT64_MAX;

    if (!loop->run)
        return;
    turn_queue_begin(&loop->turns);
    loop->run = loop->turns.first != NULL; /* they have their turns in later iterations */
    for (size_t i = 0; i < DAEMONS; i++) {
        struct daemon *daemon = loop->mhd_daemons[i].daemon;
        uint64_t ms = daemon ? transport_run(daemon_transport(daemon)) : soonest;

        soonest = ms < soonest ? ms : soonest;
    }
    count_records(loop);
    wake_in(loop, busy_loop_guard_next(&loop->guard, soonest));
    if (loop->run) /* a connection was resumed meanwhile */
        wake_in(loop, 0);
}

static void heartbeat(struct loop *loop)
{
    atomic_store_explicit(&loop->heartbeat_ms, uv_now(&loop->uv), memory_order_relaxed);
}

/* Overload and a shortage of memory shorten the deadlines of all connections. */
static void sweep(struct loop *loop)
{
    if (uv_now(&loop->uv) < loop->sweep_ms &&
        !service_overload_has(loop->service, OVERLOAD_CLOSE_IDLE) &&
        !inflight_is_filling(loop->service))
        return;
    loop->sweep_ms = UINT64_MAX;
    for (size_t i = 0; i < DAEMONS; i++)
        if (loop->mhd_daemons[i].daemon)
            daemon_sweep(loop->mhd_daemons[i].daemon, uv_now(&loop->uv));
}

static void on_tick(uv_timer_t *tick)
{
    struct loop *loop = tick->data;

    heartbeat(loop);
    if (loop_is_first(loop))
        overload_sample_memory(loop->service);
    overload_update(loop->service);
    secrets_take(loop->service->secrets, &loop->secrets);
    sweep(loop);
    exchange_loop_tick(loop->exchanges);
}

/* ---- mail of other threads ----------------------------------------------------------- */

static void halt(struct loop *loop)
{
    for (size_t i = 0; i < DAEMONS; i++) {
        daemon_free(loop->mhd_daemons[i].daemon);
        loop->mhd_daemons[i].daemon = NULL;
    }
    uv_sem_post(&loop->halted);
}

static void add_sockets(struct loop *loop, const struct mail *mail)
{
    for (size_t i = 0; i < mail->count; i++) {
        struct socket_given *given = &mail->sockets[i];
        struct daemon *daemon =
            loop->mhd_daemons[listener_kind_is_tls(given->listener_kind) ? TLS : PLAIN].daemon;

        metrics_connections(loop_metrics(loop), 1);
        if (daemon) {
            daemon_add(daemon, given);
            continue;
        }
        close(given->fd);
        loop_connection_closed(loop, given->peer);
    }
    free(mail->sockets);
}

static void on_async(uv_async_t *async)
{
    struct loop *loop = async->data;
    struct mail mail = mailbox_take(&loop->box);

    add_sockets(loop, &mail);
    for (struct loop_post *post = mail.first, *next; post; post = next) {
        next = post->next;
        post->fn(post);
    }
    for (size_t i = 0; mail.drain && i < DAEMONS; i++)
        if (loop->mhd_daemons[i].daemon)
            daemon_drain(loop->mhd_daemons[i].daemon, uv_now(&loop->uv));
    if (mail.drain)
        atomic_store(&loop->draining, true);
    if (mail.halt)
        halt(loop);
    if (mail.quit)
        uv_stop(&loop->uv);
    loop->run = true;
}

/* ---- life -------------------------------------------------------------------------- */

static void close_handles(struct loop *loop)
{
    uv_handle_t *handles[] = {(uv_handle_t *)&loop->mhd_daemons[PLAIN].poll,
                              (uv_handle_t *)&loop->mhd_daemons[TLS].poll,
                              (uv_handle_t *)&loop->timer,
                              (uv_handle_t *)&loop->tick,
                              (uv_handle_t *)&loop->prepare,
                              (uv_handle_t *)&loop->async};

    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i]->loop)
            uv_close(handles[i], NULL);
    socket_poll_free(loop->sockets);
    socket_poll_free(loop->lingering_sockets);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

static void *run(void *arg)
{
    struct loop *loop = arg;

    uv_run(&loop->uv, UV_RUN_DEFAULT); /* until on_async stops it */
    while (exchange_loop_pending(loop->exchanges) > 0)
        uv_run(&loop->uv, UV_RUN_ONCE);
    close_handles(loop);
    return NULL;
}

static bool start_daemon(struct loop *loop, size_t which)
{
    struct mhd_daemon *mhd = &loop->mhd_daemons[which];

    mhd->daemon = daemon_new(loop, which == TLS);
    if (!mhd->daemon || uv_poll_init(&loop->uv, &mhd->poll,
                                     transport_epoll_fd(daemon_transport(mhd->daemon))) != 0)
        return false;
    mhd->poll.data = loop;
    return uv_poll_start(&mhd->poll, UV_READABLE, on_poll) == 0;
}

static bool start_handles(struct loop *loop)
{
    if (uv_async_init(&loop->uv, &loop->async, on_async) != 0 ||
        uv_timer_init(&loop->uv, &loop->timer) != 0 ||
        uv_timer_init(&loop->uv, &loop->tick) != 0 ||
        uv_prepare_init(&loop->uv, &loop->prepare) != 0)
        return false;
    loop->async.data = loop->timer.data = loop->tick.data = loop->prepare.data = loop;
    return uv_prepare_start(&loop->prepare, on_prepare) == 0 &&
           uv_timer_start(&loop->tick, on_tick, TICK_MS, TICK_MS) == 0;
}

static void forget(struct loop *loop)
{
    exchange_loop_free(loop->exchanges);
    secrets_give_back(&loop->secrets);
    uv_loop_close(&loop->uv);
    uv_sem_destroy(&loop->halted);
    mailbox_fini(&loop->box);
    free(loop);
}

struct loop *loop_thread_new(struct service *service, size_t index)
{
    struct loop *loop = calloc(1, sizeof *loop);

    if (!loop)
        return NULL;
    loop->service = service;
    loop->index = index;
    loop->timer_ms = UINT64_MAX;
    if (uv_loop_init(&loop->uv) != 0) {
        free(loop);
        return NULL;
    }
    mailbox_init(&loop->box);
    if (uv_sem_init(&loop->halted, 0) != 0)
        abort(); /* never on Linux */
    heartbeat(loop);
    secrets_take(service->secrets, &loop->secrets);
    loop->exchanges = exchange_loop_new(loop);
    loop->sockets = socket_poll_new(&loop->uv, SOCKET_POLL_MOST);
    loop->lingering_sockets = socket_poll_new(&loop->uv, LINGERING_READS);
    if (loop->exchanges && loop->sockets && loop->lingering_sockets && start_handles(loop) &&
        start_daemon(loop, PLAIN) && (!loop->secrets.certificate || start_daemon(loop, TLS)) &&
        pthread_create(&loop->thread, NULL, run, loop) == 0)
        return loop;
    halt(loop);
    close_handles(loop);
    forget(loop);
    return NULL;
}

void loop_thread_halt(struct loop *loop)
{
    loop_signal(loop, &loop->box.mail.halt);
    uv_sem_wait(&loop->halted);
}

void loop_thread_free(struct loop *loop)
{
    if (!loop)
        return;
    loop_signal(loop, &loop->box.mail.quit);
    pthread_join(loop->thread, NULL);
    assert(!loop->mhd_daemons[PLAIN].daemon);
    forget(loop);
}
