/* SPDX-License-Identifier: Apache-2.0
 * loop_state.h - struct loop, which loop_thread.c makes and loop.c gives access to. No other
 * file includes it. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "server/files/secrets.h"
#include "server/net/busy_loop_guard.h"
#include "server/net/mailbox.h"
#include "server/net/turn_queue.h"

struct daemon;
struct exchange_loop;
struct service;
struct socket_poll;

enum { PLAIN, TLS, DAEMONS }; /* a daemon speaks TLS on all its connections or on none */

struct loop {
    struct service *service;
    size_t index;
    struct mhd_daemon {
        struct daemon *daemon;
        uv_poll_t poll;
    } mhd_daemons[DAEMONS]; /* the TLS daemon exists only with a certificate */
    struct exchange_loop *exchanges;
    struct socket_poll *sockets;           /* sockets that are read past libmicrohttpd */
    struct socket_poll *lingering_sockets; /* whose connections are over (lingering.h) */
    struct turn_queue turns;               /* connections whose work gives way to others */
    struct secret_set secrets;
    uv_loop_t uv;
    uv_timer_t timer, tick;
    uv_prepare_t prepare;
    uv_async_t async;
    pthread_t thread;
    uv_sem_t halted; /* posted when the daemons are freed */
    struct mailbox box;
    bool run; /* the daemons have to be run */
    struct busy_loop_guard guard;
    uint64_t sweep_ms; /* when the next sweep of all connections is due */
    uint64_t timer_ms; /* when the timer fires; UINT64_MAX: it is not set */
    _Atomic size_t connections;
    _Atomic uint64_t heartbeat_ms;
    _Atomic bool draining;  /* the connections that are open have been told */
    _Atomic size_t leaving; /* those of them that are open still */
};

/* Sets a flag of loop->box.mail and wakes the loop (any thread). */
void loop_signal(struct loop *loop, bool *flag);
