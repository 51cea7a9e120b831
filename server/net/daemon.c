/* SPDX-License-Identifier: Apache-2.0
 * daemon.c - what a transport tells of connections, in the order in which it does, and the list
 * of the connections. */
#include "server/net/daemon.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_path.h"
#include "server/exchange/exchange.h"
#include "server/files/certificate.h"
#include "server/http/request_check.h"
#include "server/http/transport.h"
#include "server/net/connection.h"
#include "server/net/lingering.h"
#include "server/net/loop.h"
#include "server/net/turn_queue.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"

enum {
    BACKSTOP_SECONDS = 5, /* the transport's inactivity clock fires that much after ours */
    REFUSED_WALK = 1024,  /* newest connections that are searched for a refused one */
    LAST_TURNS = 64,      /* runs in which answers reach the sockets before the end */
};

struct daemon {
    struct loop *loop;
    struct transport *transport;
    struct lingering *lingering;
    struct connection *connections;   /* newest first */
    const struct socket_given *given; /* the connection being added */
    bool started;                     /* the connection being added has begun */
    bool draining;
    uint64_t records; /* TLS records of all connections at the previous count */
};

/* ---- a connection begins and ends -------------------------------------------------------- */

static void *on_begins(void *context, struct transport_connection *wire, int fd)
{
    struct daemon *daemon = context;
    struct connection *connection = connection_new(daemon->loop, wire, fd, daemon->given);

    loop_called(daemon->loop);
    daemon->started = true;
    if (!connection) {
        shutdown(fd, SHUT_RDWR);
        loop_connection_closed(daemon->loop, daemon->given->peer);
        return NULL;
    }
    connection->next = daemon->connections;
    if (daemon->connections)
        daemon->connections->prev = connection;
    daemon->connections = connection;
    return connection;
}

/* The transport closes the socket next; a lingering connection is counted until on_gone. */
static void socket_ends(struct daemon *daemon, const struct connection *connection)
{
    if (!lingering_keep(daemon->lingering, connection->fd, connection->peer,
                        !connection->request_read))
        loop_connection_closed(daemon->loop, connection->peer);
}

static void on_ends(void *context, void *owner)
{
    struct daemon *daemon = context;
    struct connection *connection = owner;

    loop_called(daemon->loop);
    socket_ends(daemon, connection);
    /* When a pool is used up, libmicrohttpd closes and never reports that the request ended. */
    if (connection->begun)
        exchange_end(connection, false);
    if (connection->prev)
        connection->prev->next = connection->next;
    else
        daemon->connections = connection->next;
    if (connection->next)
        connection->next->prev = connection->prev;
    connection_free(connection);
}

static void on_gone(void *loop, struct peer *peer)
{
    loop_connection_closed(loop, peer);
}

/* ---- a request --------------------------------------------------------------------------- */

static void on_target(void *owner, const char *raw)
{
    struct connection *connection = owner;

    request_check_target(&connection->head, raw);
    connection->request_read = false;
}

static bool on_head(void *owner, const struct head_bytes *bytes)
{
    struct connection *connection = owner;
    const struct config *config = &loop_service(connection->loop)->config;
    struct head *head = &connection->head;

    loop_called(connection->loop);
    request_check_head(head, bytes, config->max_body);
    if (head->type_repeated &&
        !inference_path_is(head->target, head->path_len, config->path_prefix))
        head_refuse(head, 400, HEAD_ONCE);
    if (head->refused)
        metrics_reject(loop_metrics(connection->loop), METRICS_REJECT_REQUEST_CHECK);
    connection->begun = true;
    connection_enter(connection, PHASE_BODY);
    return exchange_begin(connection);
}

static bool on_body(void *owner, const char *bytes, size_t *len)
{
    struct connection *connection = owner;

    loop_called(connection->loop);
    return exchange_body(connection, bytes, len);
}

static bool on_whole(void *owner)
{
    struct connection *connection = owner;

    loop_called(connection->loop);
    if (!head_reads_chunks(&connection->head)) /* chunked_body.c sets it otherwise */
        connection->request_read = true;
    return exchange_run(connection);
}

static void on_over(void *context, void *owner, bool sent)
{
    const struct daemon *daemon = context;
    struct connection *connection = owner;

    if (connection->begun) {
        exchange_end(connection, sent);
        connection->begun = false;
    }
    connection_request_over(connection);
    if (daemon->draining)
        connection_drain(connection, loop_now_ms(daemon->loop));
}

/* The refused connection is the one whose head is complete and whose exchange has not begun.
 * Our answer bypasses the transport and the socket is shut down, so that the transport's answer
 * is never sent. */
static void on_refuses(void *context, unsigned status)
{
    struct daemon *daemon = context;
    struct connection *at = daemon->connections;

    for (int i = 0; at && i < REFUSED_WALK; at = at->next, i++) {
        if (at->begun || at->suspended || at->phase != PHASE_HEAD || !at->head.target ||
            !transport_has_head(at->wire))
            continue;
        request_check_refused(
            &at->head,
            transport_has_bytes(loop_service(daemon->loop)->shortcuts) ? NULL : at->wire,
            status, loop_service(daemon->loop)->config.max_body);
        metrics_reject(loop_metrics(daemon->loop), METRICS_REJECT_REQUEST_CHECK);
        at->begun = true;
        exchange_refuse(at);
        return;
    }
}

/* The messages hold client text, which our log escapes, cuts and rate-limits. */
static void on_log(void *context, const char *format, va_list args)
{
    const struct daemon *daemon = context;
    struct log *log = loop_service(daemon->loop)->log;
    char text[512];

    if (!log_wants(log, LOG_DEBUG))
        return;
    vsnprintf(text, sizeof text, format, args);
    log_event(log, LOG_DEBUG, "libmicrohttpd",
              (struct log_field[]){{.name = "text", .text = text}, {0}});
}

static const struct transport_calls calls = {.begins = on_begins,
                                             .target = on_target,
                                             .head = on_head,
                                             .body = on_body,
                                             .whole = on_whole,
                                             .over = on_over,
                                             .ends = on_ends,
                                             .refuses = on_refuses,
                                             .log = on_log};

/* ---- the daemon -------------------------------------------------------------------------- */

/* The transport's inactivity clock is a backstop: it must never fire before a clock of ours. */
static unsigned backstop_seconds(const struct config *config)
{
    const uint64_t clocks[] = {config->idle_timeout_ms, config->header_timeout_ms,
                               config->body_timeout_ms, config->send_timeout_ms};
    uint64_t longest = 0;

    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (clocks[i] > longest)
            longest = clocks[i];
    return (unsigned)(longest / 1000) + BACKSTOP_SECONDS;
}

struct daemon *daemon_new(struct loop *loop, bool tls)
{
    const struct config *config = &loop_service(loop)->config;
    struct daemon *daemon = calloc(1, sizeof *daemon);

    if (!daemon)
        return NULL;
    daemon->loop = loop;
    daemon->lingering = lingering_new(loop_service(loop), loop_lingering_sockets(loop),
                                      LINGERING_MS, SIZE_MAX, on_gone, loop);
    if (daemon->lingering)
        daemon->transport = transport_new(
            &(struct transport_options){.calls = &calls,
                                        .context = daemon,
                                        .shortcuts = loop_service(loop)->shortcuts,
                                        .connections = config->max_connections,
                                        .idle_seconds = backstop_seconds(config),
                                        .tls_priorities = tls ? CERTIFICATE_PRIORITIES : NULL});
    if (daemon->transport)
        return daemon;
    lingering_free(daemon->lingering);
    free(daemon);
    return NULL;
}

struct transport *daemon_transport(const struct daemon *daemon)
{
    return daemon->transport;
}

void daemon_add(struct daemon *daemon, const struct socket_given *given)
{
    daemon->given = given;
    daemon->started = false;
    if (!transport_add(daemon->transport, given->fd, (const struct sockaddr *)&given->addr,
                       given->len) &&
        !daemon->started)
        loop_connection_closed(daemon->loop, given->peer);
}

void daemon_sweep(struct daemon *daemon, uint64_t now_ms)
{
    load_shedding(loop_service(daemon->loop), daemon->connections);
    for (struct connection *at = daemon->connections, *next; at; at = next) {
        next = at->next;
        connection_sweep(at, now_ms);
    }
}

bool daemon_moved_records(struct daemon *daemon)
{
    uint64_t before = daemon->records;

    daemon->records = 0;
    for (struct connection *at = daemon->connections; at; at = at->next)
        daemon->records += connection_records(at);
    return daemon->records != before;
}

void daemon_drain(struct daemon *daemon, uint64_t now_ms)
{
    daemon->draining = true;
    for (struct connection *at = daemon->connections; at; at = at->next) {
        loop_count_leaving(daemon->loop, !at->leaving);
        at->leaving = true;
        connection_drain(at, now_ms);
    }
}

/* libmicrohttpd aborts the process when it is stopped with a suspended connection. Returns
 * whether there was one that waited. */
static bool give_up_suspended(struct daemon *daemon)
{
    bool any = false;

    for (struct connection *at = daemon->connections; at; at = at->next) {
        const bool waited = turn_queue_leave(loop_turns(daemon->loop), at);

        any |= waited || at->suspended;
        at->turn.begun |= waited; /* its last turn */
        if (waited && at->work_until_ms != 0)
            at->work_until_ms = 1;                   /* a batch has no time for its next part */
        for (int i = 0; i < 2 && at->suspended; i++) /* the second call waits for nothing */
            exchange_expire(at);
        if (at->suspended || waited)
            connection_resume(at);
    }
    return any;
}

void daemon_free(struct daemon *daemon)
{
    bool again = true;

    if (!daemon)
        return;
    (void)give_up_suspended(daemon);
    for (int i = 0; i < LAST_TURNS && again; i++) { /* a batch that was woken may wait again */
        again = transport_run(daemon->transport) == 0;
        again |= give_up_suspended(daemon);
    }
    transport_free(daemon->transport);
    lingering_free(daemon->lingering);
    free(daemon);
}
