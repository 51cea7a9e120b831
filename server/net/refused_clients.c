/* SPDX-License-Identifier: Apache-2.0
 * refused_clients.c - see refused_clients.h. */
#include "server/net/refused_clients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/net/lingering.h"
#include "server/net/socket_poll.h"
#include "server/sys/log.h"

enum {
    LINGERING_MAX = 16, /* for clients that are still sending; their descriptors are reserved */
    LOG_LATER_MS = 500,
    LOG_EVERY_MS = 1000, /* between two log lines of one reason */
};

struct refused_clients {
    struct service *service;
    uv_timer_t timer; /* logs refusals that are not logged yet */
    struct socket_poll *sockets;
    struct lingering *lingering;
    struct unlogged {
        uint64_t count, logged_ms; /* refusals not logged yet; time of the last log line */
    } unlogged[METRICS_REJECT_COUNT];
};

/* Writes the whole answer to a refused client; returns its length. Its request was not read,
 * so the answer is both a problem and an error of the Open Inference Protocol. */
static size_t write_overloaded(char *out, size_t size, enum metrics_reject reason)
{
    const char *from =
        reason == METRICS_REJECT_ADDRESS ? "connections from your address" : "connections";
    char body[240];

    snprintf(body, sizeof body,
             "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
             "\"detail\":\"too many %s; try again\",\"error\":\"too many %s; try again\"}\n",
             from, from);
    return (size_t)snprintf(out, size,
                            "HTTP/1.1 503 Service Unavailable\r\n"
                            "Content-Type: application/problem+json\r\n"
                            "Cache-Control: no-store\r\nRetry-After: 1\r\n"
                            "Connection: close\r\nContent-Length: %zu\r\n\r\n%s",
                            strlen(body), body);
}

/* Writes at most one log line a second for each reason, except at the end; refusals in between
 * are in the count of the next line. True: some are not logged yet. */
static bool log_refusals(struct refused_clients *refused, bool end)
{
    uint64_t now = uv_now(refused->timer.loop);
    bool more = false;

    for (enum metrics_reject reason = 0; reason < METRICS_REJECT_COUNT; reason++) {
        struct unlogged *unlogged = &refused->unlogged[reason];

        if (unlogged->count == 0)
            continue;
        if (!end && unlogged->logged_ms && now < unlogged->logged_ms + LOG_EVERY_MS) {
            more = true;
            continue;
        }
        log_event(refused->service->log, LOG_WARN, "refused",
                  (struct log_field[]){{.name = "reason", .text = metrics_reject_name(reason)},
                                       {.name = "count", .number = (int64_t)unlogged->count},
                                       {0}});
        *unlogged = (struct unlogged){.logged_ms = now};
    }
    return more;
}

static void on_timer(uv_timer_t *timer)
{
    if (log_refusals(timer->data, false))
        uv_timer_start(timer, on_timer, LOG_LATER_MS, 0);
}

/* The TLS alert "internal error" is legal before any handshake. */
static const char tls_alert[] = "\x15\x03\x03\x00\x02\x02\x50";

void refused_clients_refuse(struct refused_clients *refused, int fd,
                            enum listener_kind listener_kind, enum metrics_reject reason)
{
    struct service *service = refused->service;
    char text[400], unread[4096];
    size_t len = sizeof tls_alert - 1;

    metrics_reject(metrics_slab(service->metrics, service->loop_count), reason);
    refused->unlogged[reason].count++;
    (void)log_refusals(refused, false);
    if (!uv_is_active((uv_handle_t *)&refused->timer))
        uv_timer_start(&refused->timer, on_timer, LOG_LATER_MS, 0);
    if (listener_kind == LISTENER_KIND_TLS)
        memcpy(text, tls_alert, len);
    else
        len = write_overloaded(text, sizeof text, reason);
    (void)!send(fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (reason == METRICS_REJECT_DESCRIPTORS) /* no descriptor is left to linger with */
        (void)!recv(fd, unread, sizeof unread, MSG_DONTWAIT);
    else
        (void)lingering_keep(refused->lingering, fd, NULL, true);
    close(fd);
}

struct refused_clients *refused_clients_new(struct service *service, uv_loop_t *uv)
{
    struct refused_clients *refused = calloc(1, sizeof *refused);

    if (!refused)
        return NULL;
    refused->sockets = socket_poll_new(uv, LINGERING_READS);
    if (refused->sockets)
        refused->lingering =
            lingering_new(service, refused->sockets, LINGERING_MS, LINGERING_MAX, NULL, NULL);
    if (!refused->lingering) {
        socket_poll_free(refused->sockets);
        free(refused);
        return NULL;
    }
    uv_timer_init(uv, &refused->timer); /* cannot fail */
    refused->service = service;
    refused->timer.data = refused;
    return refused;
}

static void on_closed(uv_handle_t *timer)
{
    free(timer->data);
}

void refused_clients_free(struct refused_clients *refused)
{
    if (!refused)
        return;
    (void)log_refusals(refused, true);
    lingering_free(refused->lingering);
    socket_poll_free(refused->sockets);
    uv_close((uv_handle_t *)&refused->timer, on_closed);
}
