/* SPDX-License-Identifier: Apache-2.0
 * listener.c - one socket a --listen, polled by the main loop. Accepted connections go to the
 * loop with the fewest, so loops are even whatever their number; who comes when there is no
 * room, in connections or in descriptors, is told 503 and closed. */
#include "server/listener.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/address.h"
#include "server/clients.h"
#include "server/lingering.h"
#include "server/log.h"
#include "server/loop.h"
#include "server/metrics.h"

enum {
    SURPLUS_PLACES =
        16, /* for surplus clients that still send; their descriptors are reserved */
    TELL_LATER_MS = 500,
    ACCEPTS = 64, /* of one socket in one turn of the main loop */
    PAUSE_MS = 100,
    TELL_MS = 1000, /* between two lines of the log about those who are refused */
};

struct listening {
    struct listener *listener;
    uv_poll_t poll;
    int fd;
    enum door door;
    unsigned port;
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* unix: removed at the end */
    dev_t device;
    ino_t inode;
};

struct listener {
    struct service *service;
    uv_loop_t *uv;
    uv_timer_t timer; /* ends pauses, tells what waits */
    struct lingering *lingering;
    size_t count;
    int spare; /* given up to accept, answer and close one more when there are no others */
    bool paused;
    struct surplus {
        uint64_t count, told_ms; /* not in the log yet; when it was told last */
    } surplus[METRICS_REJECT_COUNT];
    struct listening at[2 * CONFIG_LIST_MAX]; /* --listen, then --admin-listen */
};

static void on_poll(uv_poll_t *poll, int status, int events);

/* ---- surplus ----------------------------------------------------------------------- */

/* The whole answer to a client that is not let in; returns its length. */
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

static void resume(struct listener *listener)
{
    if (!listener->paused)
        return;
    listener->paused = false;
    for (size_t i = 0; i < listener->count; i++)
        uv_poll_start(&listener->at[i].poll, UV_READABLE, on_poll);
}

/* One line a second and reason at most, but at the end, however many come: the others are in
 * the next one's count. True: some wait for it. */
static bool tell(struct listener *listener, bool end)
{
    uint64_t now = uv_now(listener->uv);
    bool more = false;

    for (enum metrics_reject reason = 0; reason < METRICS_REJECT_COUNT; reason++) {
        struct surplus *surplus = &listener->surplus[reason];

        if (surplus->count == 0)
            continue;
        if (!end && surplus->told_ms && now < surplus->told_ms + TELL_MS) {
            more = true;
            continue;
        }
        log_event(listener->service->log, LOG_WARN, "refused",
                  (struct log_field[]){{.name = "reason", .text = metrics_reject_name(reason)},
                                       {.name = "count", .number = (int64_t)surplus->count},
                                       {0}});
        *surplus = (struct surplus){.told_ms = now};
    }
    return more;
}

static void on_timer(uv_timer_t *timer)
{
    struct listener *listener = timer->data;

    resume(listener);
    if (tell(listener, false))
        uv_timer_start(timer, on_timer, TELL_LATER_MS, 0);
}

/* TLS: the alert "internal error", which is legal before any handshake. */
static const char surplus_tls[] = "\x15\x03\x03\x00\x02\x02\x50";

/* Says why and closes, after the client has sent what it may be sending. */
static void refuse(struct listener *listener, int fd, const struct sockaddr *addr,
                   enum door door, enum metrics_reject reason)
{
    struct service *service = listener->service;
    char text[400], unread[4096];
    size_t len = sizeof surplus_tls - 1;

    metrics_reject(metrics_slab(service->metrics, service->loop_count), reason);
    listener->surplus[reason].count++;
    (void)tell(listener, false);
    if (!uv_is_active((uv_handle_t *)&listener->timer))
        uv_timer_start(&listener->timer, on_timer, TELL_LATER_MS, 0);
    if (door == DOOR_TLS)
        memcpy(text, surplus_tls, len);
    else
        len = write_surplus(text, sizeof text, reason);
    (void)!send(fd, text, len, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (reason == METRICS_REJECT_DESCRIPTORS) /* there is none to linger with */
        (void)!recv(fd, unread, sizeof unread, MSG_DONTWAIT);
    else
        (void)lingering_keep(listener->lingering, fd, addr, true);
    close(fd);
}

/* No descriptor is left: one more client is accepted with the spare one, told, and closed.
 * Without it the backlog would stay readable and the loop would spin. */
static void refuse_with_spare(struct listener *listener, const struct listening *listening)
{
    int fd;

    if (listener->spare >= 0)
        close(listener->spare);
    fd = accept4(listening->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0)
        refuse(listener, fd, NULL, listening->door, METRICS_REJECT_DESCRIPTORS);
    listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return;
    /* Another thread took even that one: look again in a moment. */
    for (size_t i = 0; i < listener->count; i++)
        uv_poll_stop(&listener->at[i].poll);
    listener->paused = true;
    uv_timer_start(&listener->timer, on_timer, PAUSE_MS, 0);
}

/* ---- accepting --------------------------------------------------------------------- */

/* The operator gets in when nobody else does. */
static bool is_full(const struct service *service, enum door door)
{
    uint64_t room = service->config.max_connections;
    int pressure = atomic_load_explicit(&service->pressure, memory_order_relaxed);

    if (door == DOOR_ADMIN)
        room += LISTENER_ADMIN_ROOM;
    return atomic_load_explicit(&service->connections, memory_order_relaxed) >= room ||
           (door != DOOR_ADMIN && pressure >= 4);
}

static struct loop *least_loaded(const struct service *service)
{
    struct loop *least = service->loops[0];

    for (size_t i = 1; i < service->loop_count; i++)
        if (loop_connections(service->loops[i]) < loop_connections(least))
            least = service->loops[i];
    return least;
}

/* Until the queue is empty, but no more than `most`. */
static void accept_queued(struct listening *listening, int most)
{
    struct listener *listener = listening->listener;
    struct service *service = listener->service;

    for (int i = 0; i < most; i++) {
        struct sockaddr_storage addr = {0};
        socklen_t len = sizeof addr;
        int fd = accept4(listening->fd, (struct sockaddr *)&addr, &len,
                         SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                refuse_with_spare(listener, listening);
            return;
        }
        if (is_full(service, listening->door))
            refuse(listener, fd, (struct sockaddr *)&addr, listening->door,
                   METRICS_REJECT_CONNECTIONS);
        else if (!clients_enter(service->clients, (struct sockaddr *)&addr,
                                listening->door == DOOR_ADMIN))
            refuse(listener, fd, (struct sockaddr *)&addr, listening->door,
                   METRICS_REJECT_ADDRESS);
        else
            loop_give(least_loaded(service), fd, (struct sockaddr *)&addr, len,
                      listening->door);
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct listening *listening = poll->data;

    (void)events;
    if (status == 0)
        accept_queued(listening, ACCEPTS);
}

/* ---- life -------------------------------------------------------------------------- */

/* Remembers which file is ours, so that the end removes no other. */
static void remember_file(struct listening *listening, const struct address *address)
{
    const struct sockaddr_un *un = (const struct sockaddr_un *)&address->addr;
    struct stat status;

    if (!address_is_unix(address) || stat(un->sun_path, &status) != 0)
        return;
    memcpy(listening->path, un->sun_path, sizeof listening->path);
    listening->device = status.st_dev;
    listening->inode = status.st_ino;
}

static void remove_file(const struct listening *listening)
{
    struct stat status;

    if (*listening->path && stat(listening->path, &status) == 0 &&
        status.st_dev == listening->device && status.st_ino == listening->inode)
        unlink(listening->path);
}

static bool open_one(struct listener *listener, const char *text, enum door door,
                     struct service_error *error)
{
    const char *flag = door == DOOR_ADMIN ? "--admin-listen" : "--listen";
    struct listening *listening = &listener->at[listener->count];
    struct address address;
    char why[300];

    error->exit_code = 78;
    if (!address_parse(&address, text, why, sizeof why)) {
        snprintf(error->text, sizeof error->text, "%s %s", flag, why);
        return false;
    }
    error->exit_code = 69;
    listening->fd = address_listen(&address, why, sizeof why);
    if (listening->fd < 0) {
        snprintf(error->text, sizeof error->text, "%s %s: %s", flag, text, why);
        return false;
    }
    listening->listener = listener;
    listening->door = door == DOOR_TLS && address_is_unix(&address) ? DOOR_PUBLIC : door;
    listening->port = address_port(listening->fd);
    remember_file(listening, &address);
    listener->count++;
    if (uv_poll_init(listener->uv, &listening->poll, listening->fd) != 0) {
        snprintf(error->text, sizeof error->text, "%s %s: cannot be polled", flag, text);
        return false;
    }
    listening->poll.data = listening;
    return true;
}

static bool open_all(struct listener *listener, const struct config_list *list, enum door door,
                     struct service_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        if (!open_one(listener, list->item[i], door, error))
            return false;
    return true;
}

struct listener *listener_new(struct service *service, uv_loop_t *uv,
                              struct service_error *error)
{
    const struct config *config = &service->config;
    struct listener *listener = calloc(1, sizeof *listener);

    *error = (struct service_error){.exit_code = 70, .text = "out of memory"};
    if (!listener || uv_timer_init(uv, &listener->timer) != 0) {
        free(listener);
        return NULL;
    }
    listener->service = service;
    listener->uv = uv;
    listener->timer.data = listener;
    listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    listener->lingering = lingering_new(service, uv, LINGERING_MS, SURPLUS_PLACES, NULL, NULL);
    if (listener->lingering &&
        open_all(listener, &config->listen, config->tls_cert ? DOOR_TLS : DOOR_PUBLIC, error) &&
        open_all(listener, &config->admin_listen, DOOR_ADMIN, error))
        return listener;
    listener_stop(listener);
    uv_run(uv, UV_RUN_DEFAULT);
    listener_free(listener);
    return NULL;
}

void listener_run(struct listener *listener)
{
    static const char *const doors[] =
        {[DOOR_PUBLIC] = "public", [DOOR_TLS] = "tls", [DOOR_ADMIN] = "admin"};
    char text[160];

    listener->paused = true;
    resume(listener);
    for (size_t i = 0; i < listener->count; i++) {
        address_print(listener->at[i].fd, text, sizeof text);
        log_event(listener->service->log, LOG_INFO, "listening",
                  (struct log_field[]){{.name = "on", .text = text},
                                       {.name = "door", .text = doors[listener->at[i].door]},
                                       {0}});
    }
}

static void on_closed(uv_handle_t *handle)
{
    struct listening *listening = handle->data;

    close(listening->fd);
}

void listener_stop(struct listener *listener)
{
    if (uv_is_closing((uv_handle_t *)&listener->timer))
        return;
    on_timer(&listener->timer);
    for (size_t i = 0; i < listener->count; i++) {
        struct listening *listening = &listener->at[i];
        if (!listening->poll.loop) {
            close(listening->fd);
            continue;
        }
        if (uv_is_active((uv_handle_t *)&listening->poll))
            accept_queued(listening, INT_MAX);
        remove_file(listening);
        uv_close((uv_handle_t *)&listening->poll, on_closed);
    }
    (void)tell(listener, true);
    lingering_free(listener->lingering);
    uv_close((uv_handle_t *)&listener->timer, NULL);
    if (listener->spare >= 0)
        close(listener->spare);
}

void listener_free(struct listener *listener)
{
    free(listener);
}

unsigned listener_port(const struct listener *listener, size_t i)
{
    assert(i < listener->count);
    return listener->at[i].port;
}
