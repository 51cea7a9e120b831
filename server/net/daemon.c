/* SPDX-License-Identifier: Apache-2.0
 * daemon.c - libmicrohttpd's callbacks, in the order in which a connection meets them. It is
 * run from outside (external epoll), so everything here happens on the loop's thread. */
#include "server/net/daemon.h"

#include <gnutls/abstract.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_path.h"
#include "server/exchange/exchange.h"
#include "server/files/certificate.h"
#include "server/http/mhd.h"
#include "server/http/request_check.h"
#include "server/net/connection.h"
#include "server/net/cork.h"
#include "server/net/lingering.h"
#include "server/net/loop.h"
#include "server/net/turn_queue.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"

enum {
    LIMIT_SLACK = 128,    /* above our own limit, so that libmicrohttpd's is never reached */
    BACKSTOP_SECONDS = 5, /* libmicrohttpd's inactivity clock fires that much after ours */
    REFUSED_WALK = 1024,  /* newest connections that are searched for a refused one */
    LAST_TURNS = 64,      /* runs in which answers reach the sockets before the end */
};

struct daemon {
    struct loop *loop;
    struct MHD_Daemon *mhd;
    struct lingering *lingering;
    struct connection *connections;   /* newest first */
    const struct socket_given *given; /* the connection being added */
    bool started; /* libmicrohttpd has announced the connection being added */
    bool draining;
    uint64_t records; /* TLS records of all connections at the previous count */
};

/* ---- a connection begins and ends -------------------------------------------------------- */

static struct connection *connection_begins(struct daemon *daemon, struct MHD_Connection *mhd)
{
    int fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    struct connection *connection = connection_new(daemon->loop, mhd, fd, daemon->given);

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

static void connection_ends(struct daemon *daemon, struct connection *connection)
{
    /* When a pool is used up, libmicrohttpd closes and never reports that the request ended. */
    if (connection->begun)
        exchange_end(connection, MHD_REQUEST_TERMINATED_WITH_ERROR);
    if (connection->prev)
        connection->prev->next = connection->next;
    else
        daemon->connections = connection->next;
    if (connection->next)
        connection->next->prev = connection->prev;
    connection_free(connection);
}

/* libmicrohttpd closes the socket next; a lingering connection is counted until on_gone. */
static void socket_ends(struct daemon *daemon, const struct connection *connection)
{
    if (!lingering_keep(daemon->lingering, connection->fd, connection->peer,
                        !connection->request_read))
        loop_connection_closed(daemon->loop, connection->peer);
}

static void on_gone(void *loop, struct peer *peer)
{
    loop_connection_closed(loop, peer);
}

static void on_connection(void *cls, struct MHD_Connection *mhd, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct daemon *daemon = cls;

    loop_called(daemon->loop);
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        daemon->started = true;
        *context = connection_begins(daemon, mhd);
        return;
    }
    if (!*context)
        return;
    socket_ends(daemon, *context);
    connection_ends(daemon, *context);
    *context = NULL;
}

/* ---- a request --------------------------------------------------------------------------- */

static void *on_target(void *cls, const char *target, struct MHD_Connection *mhd)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct connection *connection = info ? info->socket_context : NULL;

    if (connection) {
        request_check_target(&connection->head, target);
        connection->request_read = false;
    }
    return connection;
}

static enum MHD_Result begin(struct connection *connection, const char *method,
                             const char *version)
{
    struct loop *loop = connection->loop;
    struct head *head = &connection->head;

    request_check_head(head, connection->mhd, method, version,
                       loop_service(loop)->config.max_body);
    if (head->type_repeated && !inference_path_is(head->target, head->path_len,
                                                  loop_service(loop)->config.path_prefix))
        head_refuse(head, 400, HEAD_ONCE);
    if (head->refused)
        metrics_reject(loop_metrics(loop), METRICS_REJECT_REQUEST_CHECK);
    connection->begun = true;
    connection_enter(connection, PHASE_BODY);
    return exchange_begin(connection);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *mhd, const char *url,
                                  const char *method, const char *version, const char *body,
                                  size_t *len, void **context)
{
    struct connection *connection = *context;

    if (!connection)
        return MHD_NO;
    loop_called(connection->loop);
    if (!connection->begun)
        return begin(connection, method, version);
    if (*len == 0) {
        connection->request_read |=
            !connection->head.chunked; /* chunked_body.c sets it otherwise */
        return exchange_run(connection);
    }
    return exchange_body(connection, body, len);
}

static void on_completed(void *cls, struct MHD_Connection *mhd, void **context,
                         enum MHD_RequestTerminationCode why)
{
    struct daemon *daemon = cls;
    struct connection *connection = *context;

    *context = NULL;
    if (!connection)
        return;
    cork_end(connection);
    if (connection->begun) {
        exchange_end(connection, why);
        connection->begun = false;
    }
    connection_request_over(connection);
    if (daemon->draining)
        connection_drain(connection, loop_now_ms(daemon->loop));
}

/* We read the raw target ourselves: nothing is decoded in libmicrohttpd's buffer. */
static size_t keep_escapes(void *cls, struct MHD_Connection *mhd, char *text)
{
    size_t len = 0;

    while (text[len])
        len++;
    return len;
}

/* libmicrohttpd 0.9.75 checks Content-Length, and counts cookies, before it calls our
 * handler. It answers a request that it refuses there by itself, and writes the head of that
 * answer twice. But it logs the refusal first: the refused connection is the one whose head is
 * complete and whose exchange has not begun. Our answer bypasses libmicrohttpd and the socket
 * is shut down, so that libmicrohttpd's answer is never sent. */
static void answer_instead(struct daemon *daemon, unsigned status)
{
    struct connection *at = daemon->connections;

    for (int i = 0; at && i < REFUSED_WALK; at = at->next, i++) {
        if (at->begun || at->suspended || at->phase != PHASE_HEAD || !at->head.target ||
            !MHD_get_connection_info(at->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE))
            continue;
        request_check_refused(&at->head, status, loop_service(daemon->loop)->config.max_body);
        metrics_reject(loop_metrics(daemon->loop), METRICS_REJECT_REQUEST_CHECK);
        at->begun = true;
        exchange_refuse(at);
        return;
    }
}

/* libmicrohttpd's messages hold client text, which our log escapes, cuts and rate-limits. */
static void on_log(void *cls, const char *format, va_list args)
{
    static const char refused[] = "Error processing request (HTTP response code is %u";
    struct daemon *daemon = cls;
    struct log *log = loop_service(daemon->loop)->log;
    char text[512];
    va_list again;

    va_copy(again, args);
    if (strncmp(format, refused, sizeof refused - 1) == 0)
        answer_instead(daemon, va_arg(again, unsigned));
    va_end(again);
    if (!log_wants(log, LOG_DEBUG))
        return;
    vsnprintf(text, sizeof text, format, args);
    log_event(log, LOG_DEBUG, "libmicrohttpd",
              (struct log_field[]){{.name = "text", .text = text}, {0}});
}

/* libmicrohttpd's inactivity clock is a backstop: it must never fire before a clock of ours. */
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

/* ---- the daemon -------------------------------------------------------------------------- */

/* Each connection sets its own certificate (connection_new), so the daemon has none. */
static int no_certificate(gnutls_session_t session, const gnutls_datum_t *authorities,
                          int count, const gnutls_pk_algorithm_t *algorithms,
                          int algorithms_count, gnutls_pcert_st **certificate,
                          unsigned *certificate_count, gnutls_privkey_t *key)
{
    (void)session, (void)authorities, (void)count, (void)algorithms, (void)algorithms_count;
    (void)certificate, (void)certificate_count, (void)key;
    return -1;
}

struct daemon *daemon_new(struct loop *loop, bool tls)
{
    const struct MHD_OptionItem with_tls[] = {
        {MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)(uintptr_t)no_certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)CERTIFICATE_PRIORITIES},
        {MHD_OPTION_END, 0, NULL},
    };
    const struct config *config = &loop_service(loop)->config;
    struct daemon *daemon = calloc(1, sizeof *daemon);

    if (!daemon)
        return NULL;
    daemon->loop = loop;
    daemon->lingering = lingering_new(loop_service(loop), loop_lingering_sockets(loop),
                                      LINGERING_MS, SIZE_MAX, on_gone, loop);
    if (!daemon->lingering) {
        free(daemon);
        return NULL;
    }
    daemon->mhd = MHD_start_daemon(
        (tls ? MHD_USE_TLS : 0u) | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME |
            MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ERROR_LOG,
        0, NULL, NULL, on_request, daemon, MHD_OPTION_EXTERNAL_LOGGER, on_log, daemon,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, daemon, MHD_OPTION_URI_LOG_CALLBACK,
        on_target, daemon, MHD_OPTION_NOTIFY_COMPLETED, on_completed, daemon,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_STRICT_FOR_CLIENT, 0,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, /* else it sends no file by sendfile */
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MHD_POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)config->max_connections + LIMIT_SLACK, MHD_OPTION_CONNECTION_TIMEOUT,
        backstop_seconds(config), MHD_OPTION_ARRAY, tls ? with_tls : with_tls + 2,
        MHD_OPTION_END);
    if (daemon->mhd)
        return daemon;
    lingering_free(daemon->lingering);
    free(daemon);
    return NULL;
}

int daemon_epoll_fd(const struct daemon *daemon)
{
    return MHD_get_daemon_info(daemon->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

void daemon_add(struct daemon *daemon, const struct socket_given *given)
{
    daemon->given = given;
    daemon->started = false;
    if (MHD_add_connection(daemon->mhd, given->fd, (const struct sockaddr *)&given->addr,
                           given->len) != MHD_YES &&
        !daemon->started)
        loop_connection_closed(daemon->loop, given->peer);
}

uint64_t daemon_run(struct daemon *daemon)
{
    MHD_UNSIGNED_LONG_LONG ms;

    MHD_run(daemon->mhd);
    return MHD_get_timeout(daemon->mhd, &ms) == MHD_YES ? ms : UINT64_MAX;
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

/* libmicrohttpd aborts the process when it is stopped with a suspended connection. */
static void give_up_suspended(struct daemon *daemon)
{
    for (struct connection *at = daemon->connections; at; at = at->next) {
        const bool waited = turn_queue_leave(loop_turns(daemon->loop), at);

        at->turn.begun |= waited; /* its last turn */
        if (at->suspended)
            exchange_expire(at);
        if (at->suspended || waited)
            connection_resume(at);
    }
}

void daemon_free(struct daemon *daemon)
{
    if (!daemon)
        return;
    give_up_suspended(daemon);
    for (int i = 0; i < LAST_TURNS && daemon_run(daemon) == 0; i++)
        give_up_suspended(daemon);
    give_up_suspended(daemon);
    MHD_stop_daemon(daemon->mhd);
    lingering_free(daemon->lingering);
    free(daemon);
}
