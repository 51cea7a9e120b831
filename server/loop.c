/* SPDX-License-Identifier: Apache-2.0
 * loop.c - one thread, one libuv loop, one libmicrohttpd daemon in external-epoll mode. The
 * daemon is run in one place only, before the loop sleeps: after events, after its timeout,
 * and after every resume (0.9.75 does not tell of a resumed connection). */
#include "server/loop.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/daemon.h"
#include "server/exchange.h"
#include "server/metrics.h"
#include "server/service.h"

enum { TICK_MS = 100 };

struct socket_given {
    int fd;
    socklen_t len;
    struct sockaddr_storage addr;
};

/* What other threads leave for the loop, under the lock. */
struct mailbox {
    uv_mutex_t lock;
    struct loop_post *first, *last;
    struct socket_given *sockets;
    size_t count, room;
    bool drain, halt, quit; /* halt: free the daemon; quit: leave the thread */
};

struct loop {
    struct service *service;
    size_t index;
    struct daemon *daemon;
    struct exchange_loop *exchanges;
    uv_loop_t uv;
    uv_poll_t poll;
    uv_timer_t timer, tick;
    uv_prepare_t prepare;
    uv_async_t async;
    uv_thread_t thread;
    uv_sem_t halted; /* posted when the daemon is gone */
    struct mailbox mail;
    bool run;          /* the daemon wants to be run */
    uint64_t timer_ms; /* when the timer fires; UINT64_MAX: it is not set */
    _Atomic size_t connections;
    _Atomic uint64_t heartbeat_ms;
};

/* ---- turns ------------------------------------------------------------------------- */

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct loop *loop = poll->data;

    (void)status;
    (void)events;
    loop->run = true;
}

static void on_timer(uv_timer_t *timer)
{
    struct loop *loop = timer->data;

    loop->timer_ms = UINT64_MAX;
    loop->run = true;
}

/* The timer may fire early, never late: it is only moved forward. */
static void wake_in(struct loop *loop, uint64_t ms)
{
    uint64_t due = ms == UINT64_MAX ? ms : uv_now(&loop->uv) + ms;

    if (due >= loop->timer_ms)
        return;
    loop->timer_ms = due;
    uv_timer_start(&loop->timer, on_timer, ms, 0);
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct loop *loop = prepare->data;

    if (!loop->run || !loop->daemon)
        return;
    loop->run = false;
    wake_in(loop, daemon_run(loop->daemon));
    if (loop->run) /* something was resumed meanwhile */
        wake_in(loop, 0);
}

static void beat(struct loop *loop)
{
    atomic_store_explicit(&loop->heartbeat_ms, uv_now(&loop->uv), memory_order_relaxed);
}

static void on_tick(uv_timer_t *tick)
{
    struct loop *loop = tick->data;

    beat(loop);
    service_press(loop->service);
    if (loop->daemon)
        daemon_sweep(loop->daemon, uv_now(&loop->uv));
    exchange_loop_tick(loop->exchanges);
}

/* ---- what others left -------------------------------------------------------------- */

static void halt(struct loop *loop)
{
    daemon_free(loop->daemon);
    loop->daemon = NULL;
    uv_sem_post(&loop->halted);
}

static void on_async(uv_async_t *async)
{
    struct loop *loop = async->data;
    struct mailbox mail;

    uv_mutex_lock(&loop->mail.lock);
    mail = loop->mail;
    loop->mail.first = loop->mail.last = NULL;
    loop->mail.sockets = NULL;
    loop->mail.count = loop->mail.room = 0;
    loop->mail.drain = loop->mail.halt = false;
    uv_mutex_unlock(&loop->mail.lock);

    for (size_t i = 0; i < mail.count; i++) {
        struct socket_given *given = &mail.sockets[i];
        metrics_connections(loop_metrics(loop), 1);
        if (loop->daemon) {
            daemon_add(loop->daemon, given->fd, (struct sockaddr *)&given->addr, given->len);
            continue;
        }
        close(given->fd);
        loop_gone(loop);
    }
    free(mail.sockets);
    for (struct loop_post *post = mail.first, *next; post; post = next) {
        next = post->next;
        post->fn(post);
    }
    if (mail.drain && loop->daemon)
        daemon_drain(loop->daemon, uv_now(&loop->uv));
    if (mail.halt)
        halt(loop);
    if (mail.quit)
        uv_stop(&loop->uv);
    loop->run = true;
}

static void uncount(struct loop *loop)
{
    atomic_fetch_sub(&loop->connections, 1);
    atomic_fetch_sub(&loop->service->connections, 1);
}

void loop_give(struct loop *loop, int fd, const struct sockaddr *addr, socklen_t len)
{
    struct mailbox *mail = &loop->mail;
    struct socket_given *given = NULL;

    assert(len <= sizeof given->addr);
    atomic_fetch_add(&loop->connections, 1);
    atomic_fetch_add(&loop->service->connections, 1);
    uv_mutex_lock(&mail->lock);
    if (mail->count == mail->room) {
        size_t room = mail->room ? mail->room * 2 : 16;
        struct socket_given *sockets = realloc(mail->sockets, room * sizeof *sockets);
        if (sockets) {
            mail->sockets = sockets;
            mail->room = room;
        }
    }
    if (mail->count < mail->room) {
        given = &mail->sockets[mail->count++];
        given->fd = fd;
        given->len = len;
        memcpy(&given->addr, addr, len);
    }
    uv_mutex_unlock(&mail->lock);
    if (given) {
        uv_async_send(&loop->async);
        return;
    }
    close(fd); /* out of memory */
    uncount(loop);
}

void loop_post(struct loop *loop, struct loop_post *node)
{
    struct mailbox *mail = &loop->mail;
    bool alone;

    node->next = NULL;
    uv_mutex_lock(&mail->lock);
    alone = !mail->first;
    if (alone)
        mail->first = node;
    else
        mail->last->next = node;
    mail->last = node;
    uv_mutex_unlock(&mail->lock);
    if (alone)
        uv_async_send(&loop->async);
}

static void leave_word(struct loop *loop, bool *word)
{
    uv_mutex_lock(&loop->mail.lock);
    *word = true;
    uv_mutex_unlock(&loop->mail.lock);
    uv_async_send(&loop->async);
}

/* ---- life -------------------------------------------------------------------------- */

/* Closes the handles and lets the loop forget them. */
static void close_handles(struct loop *loop)
{
    uv_handle_t *handles[] = {(uv_handle_t *)&loop->poll, (uv_handle_t *)&loop->timer,
                              (uv_handle_t *)&loop->tick, (uv_handle_t *)&loop->prepare,
                              (uv_handle_t *)&loop->async};

    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        if (handles[i]->loop)
            uv_close(handles[i], NULL);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

static void run(void *arg)
{
    struct loop *loop = arg;

    uv_run(&loop->uv, UV_RUN_DEFAULT); /* until on_async stops it */
    while (exchange_loop_pending(loop->exchanges) > 0)
        uv_run(&loop->uv, UV_RUN_ONCE);
    close_handles(loop);
}

static bool start_handles(struct loop *loop)
{
    if (uv_async_init(&loop->uv, &loop->async, on_async) != 0 ||
        uv_timer_init(&loop->uv, &loop->timer) != 0 ||
        uv_timer_init(&loop->uv, &loop->tick) != 0 ||
        uv_prepare_init(&loop->uv, &loop->prepare) != 0 ||
        uv_poll_init(&loop->uv, &loop->poll, daemon_epoll_fd(loop->daemon)) != 0)
        return false;
    loop->async.data = loop->timer.data = loop->tick.data = loop->prepare.data =
        loop->poll.data = loop;
    return uv_prepare_start(&loop->prepare, on_prepare) == 0 &&
           uv_timer_start(&loop->tick, on_tick, TICK_MS, TICK_MS) == 0 &&
           uv_poll_start(&loop->poll, UV_READABLE, on_poll) == 0;
}

struct loop *loop_new(struct service *service, size_t index)
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
    if (uv_mutex_init(&loop->mail.lock) != 0 || uv_sem_init(&loop->halted, 0) != 0)
        abort(); /* neither fails on Linux */
    beat(loop);
    loop->daemon = daemon_new(loop);
    loop->exchanges = exchange_loop_new(loop);
    if (loop->daemon && loop->exchanges && start_handles(loop) &&
        uv_thread_create(&loop->thread, run, loop) == 0)
        return loop;
    daemon_free(loop->daemon);
    close_handles(loop);
    exchange_loop_free(loop->exchanges);
    uv_loop_close(&loop->uv);
    uv_sem_destroy(&loop->halted);
    uv_mutex_destroy(&loop->mail.lock);
    free(loop);
    return NULL;
}

void loop_drain(struct loop *loop)
{
    leave_word(loop, &loop->mail.drain);
}

void loop_halt(struct loop *loop)
{
    leave_word(loop, &loop->mail.halt);
    uv_sem_wait(&loop->halted);
}

void loop_free(struct loop *loop)
{
    if (!loop)
        return;
    leave_word(loop, &loop->mail.quit);
    uv_thread_join(&loop->thread);
    assert(!loop->daemon && !loop->mail.first);
    exchange_loop_free(loop->exchanges);
    uv_loop_close(&loop->uv);
    uv_sem_destroy(&loop->halted);
    uv_mutex_destroy(&loop->mail.lock);
    free(loop);
}

/* ---- what the others ask ----------------------------------------------------------- */

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

uv_loop_t *loop_uv(struct loop *loop)
{
    return &loop->uv;
}

uint64_t loop_now_ms(const struct loop *loop)
{
    return uv_now(&loop->uv);
}

void loop_run_daemon(struct loop *loop)
{
    loop->run = true;
}

size_t loop_connections(const struct loop *loop)
{
    return atomic_load_explicit(&loop->connections, memory_order_relaxed);
}

void loop_gone(struct loop *loop)
{
    metrics_connections(loop_metrics(loop), -1);
    uncount(loop);
}

uint64_t loop_heartbeat_ms(const struct loop *loop)
{
    return atomic_load_explicit(&loop->heartbeat_ms, memory_order_relaxed);
}
