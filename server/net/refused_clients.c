/* SPDX-License-Identifier: Apache-2.0
 * refused_clients.c - see refused_clients.h. */
#include "server/net/refused_clients.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/net/lingering.h"
#include "server/net/socket_poll.h"
#include "server/sys/log.h"

enum {
    PLACES = 16, /* for clients that are still sending; their descriptors are reserved */
    TELL_LATER_MS = 500,
    TELL_MS = 1000, /* between two log lines of one reason */
};

struct refused_clients {
    struct service *service;
    uv_timer_t timer; /* logs refusals that are not logged yet */
    struct socket_poll *sockets;
    struct lingering *lingering;
    struct untold {
        uint64_t count, told_ms; /* refusals not logged yet; time of the last log line */
    } untold[METRICS_REJECT_COUNT];
};

/* Writes the whole answer to a refused client; returns its length. */
static size_t write_surplus(char *out, size_t size, enum metrics_reject reason)
{
    const char *from =
        reason == METRICS_REJECT_ADDRESS ? "connections from your address" : "connections";
    char body[160];

    snprintf(body, sizeof body,
             "{\"type\":\"/problems/overloaded\",\"title\":\"Overloaded\",\"status\":503,"
             "\"detail\":\"too many %s; try again\"}\n",
             from);
    return (size_t)snprintf(out, size,
                            "HTTP/1.1 503 Service Unavailable\r\n"
                            "Content-Type: application/problem+json\r\n"
                            "Cache-Control: no-store\r\nRetry-After: 1\r\n"
                            "Connection: close\r\nContent-Length: %zu\r\n\r\n%s",
                            strlen(body), body);
}

/* Writes at most one log line a second for each reason, except at the end; refusals in between
 * are in the count of the next line. True: some are not logged yet. */
static bool tell(struct refused_clients *surplus, bool end)
{
    uint64_t now = uv_now(surplus->timer.loop);
    bool more = false;

    for (enum metrics_reject reason = 0; reason < METRICS_REJECT_COUNT; reason++) {
        struct untold *untold = &surplus->untold[reason];

        if (untold->count == 0)
            continue;
        if (!end && untold->told_ms && now < untold->told_ms + TELL_MS) {
            more = true;
            continue;
        }
        log_event(surplus->service->log, LOG_WARN, "refused",
                  (struct log_field[]){{.name = "reason", .text = metrics_reject_name(reason)},
                                       {.name = "count", .number = (int64_t)untold->count},
                                       {0}});
        *untold = (struct untold){.told_ms = now};
    }
    return more;
}

static void on_timer(uv_timer_t *timer)
{
    if (tell(timer->data, false))
        uv_timer_start(timer, on_timer, TELL_LATER_MS, 0);
}

/* The TLS alert "internal error" is legal before any handshake. */
static const char surplus_tls[] = "\x15\x03\x03\x00\x02\x02\x50";

void refused_clients_refuse(struct refused_clients *surplus, int fd,
                            const struct sockaddr *addr, enum listener_kind listener_kind,
                            enum metrics_reject reason)
{
    struct service *service = surplus->service;
    char text[400], unread[4096];
    size_t len = sizeof surplus_tls - 1;

    metrics_reject(metrics_slab(service->metrics, service->loop_count), reason);
    surplus->untold[reason].count++;
    (void)tell(surplus, false);
    if (!uv_is_active((uv_handle_t *)&surplus->timer))
        uv_timer_start(&surplus->timer, on_timer, TELL_LATER_MS, 0);
    if (listener_kind == LISTENER_KIND_TLS)
        memcpy(text, surplus_tls, len);
    else
        len = write_surplus(text, sizeof text, reason);
    (void)!send(fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (reason == METRICS_REJECT_DESCRIPTORS) /* no descriptor is left to linger with */
        (void)!recv(fd, unread, sizeof unread, MSG_DONTWAIT);
    else
        (void)lingering_keep(surplus->lingering, fd, addr, true);
    close(fd);
}

struct refused_clients *refused_clients_new(struct service *service, uv_loop_t *uv)
{
    struct refused_clients *surplus = calloc(1, sizeof *surplus);

    if (!surplus)
        return NULL;
    surplus->sockets = socket_poll_new(uv);
    if (surplus->sockets)
        surplus->lingering =
            lingering_new(service, surplus->sockets, LINGERING_MS, PLACES, NULL, NULL);
    if (!surplus->lingering) {
        socket_poll_free(surplus->sockets);
        free(surplus);
        return NULL;
    }
    uv_timer_init(uv, &surplus->timer); /* cannot fail */
    surplus->service = service;
    surplus->timer.data = surplus;
    return surplus;
}

static void on_closed(uv_handle_t *timer)
{
    free(timer->data);
}

void refused_clients_free(struct refused_clients *surplus)
{
    if (!surplus)
        return;
    (void)tell(surplus, true);
    lingering_free(surplus->lingering);
    socket_poll_free(surplus->sockets);
    uv_close((uv_handle_t *)&surplus->timer, on_closed);
}
