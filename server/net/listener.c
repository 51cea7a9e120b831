/* SPDX-License-Identifier: Apache-2.0
 * listener.c - opens or takes a socket for each --listen, polled by the main loop. An accepted
 * connection goes to the loop with the fewest, which balances any number of loops. When no
 * connection or descriptor is left, or none for its address, a client is answered 503 and
 * closed; if it does not lack a descriptor and asks for health, it is admitted. */
#include "server/net/listener.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/config/address.h"
#include "server/net/health_admission.h"
#include "server/net/loop.h"
#include "server/net/peers.h"
#include "server/net/refused_clients.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"

enum {
    ACCEPTS = 64, /* accepted from one socket in one iteration of the main loop */
    PAUSE_MS = 100,
};

struct listening {
    struct listener *listener;
    uv_poll_t poll;
    int fd;
    enum listener_kind listener_kind;
    unsigned port;
    bool passed; /* by the service manager, which keeps the socket for the next process */
    char path[sizeof((struct sockaddr_un *)0)->sun_path]; /* file of a unix socket */
    dev_t device;
    ino_t inode;
};

struct listener {
    struct service *service;
    uv_loop_t *uv;
    uv_timer_t timer; /* ends a pause of accepting */
    struct refused_clients *refused;
    struct health_admission *admission;
    size_t count;
    int spare; /* descriptor closed to accept and answer one more client when none is left */
    bool paused;
    struct listening at[2 * CONFIG_LIST_MAX]; /* --listen, then --admin-listen */
};

static void on_poll(uv_poll_t *poll, int status, int events);

static void resume(struct listener *listener)
{
    if (!listener->paused)
        return;
    listener->paused = false;
    for (size_t i = 0; i < listener->count; i++)
        uv_poll_start(&listener->at[i].poll, UV_READABLE, on_poll);
}

static void on_timer(uv_timer_t *timer)
{
    resume(timer->data);
}

/* No descriptor is left: one more client is accepted with the spare descriptor, answered and
 * closed. Otherwise the backlog would stay readable and the loop would spin. */
static void refuse_with_spare(struct listener *listener, const struct listening *listening)
{
    int fd;

    if (listener->spare >= 0)
        close(listener->spare);
    fd = accept4(listening->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0)
        refused_clients_refuse(listener->refused, fd, listening->listener_kind,
                               METRICS_REJECT_DESCRIPTORS);
    listener->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        return;
    /* Another thread took even the spare descriptor: try again after PAUSE_MS. */
    for (size_t i = 0; i < listener->count; i++)
        uv_poll_stop(&listener->at[i].poll);
    listener->paused = true;
    uv_timer_start(&listener->timer, on_timer, PAUSE_MS, 0);
}

/* ---- accepting --------------------------------------------------------------------- */

/* Connections of --admin-listen are accepted beyond --max-connections and at any overload. */
static bool is_full(const struct service *service, enum listener_kind listener_kind)
{
    uint64_t limit = service->config.max_connections;

    if (listener_kind == LISTENER_KIND_ADMIN)
        limit += LISTENER_KIND_ADMIN_PLACES;
    return atomic_load_explicit(&service->connections, memory_order_relaxed) >= limit ||
           (listener_kind != LISTENER_KIND_ADMIN &&
            service_overload_has(service, OVERLOAD_REFUSE_CONNECTIONS));
}

static struct loop *least_loaded(const struct service *service)
{
    struct loop *least = service->loops[0];

    for (size_t i = 1; i < service->loop_count; i++)
        if (loop_connections(service->loops[i]) < loop_connections(least))
            least = service->loops[i];
    return least;
}

static bool admit_for_health(void *context, const struct health_admission_client *client)
{
    struct service *service = ((struct listener *)context)->service;
    bool tls = listener_kind_is_tls(client->listener_kind);
    uint64_t places = tls ? LISTENER_KIND_GUEST_PLACES / 2
                          : LISTENER_KIND_GUEST_PLACES; /* half: some TLS clients never ask */

    if (atomic_load_explicit(&service->guests, memory_order_relaxed) >= places)
        return false;
    loop_give(least_loaded(service), client->fd, (const struct sockaddr *)&client->addr,
              client->len, tls ? LISTENER_KIND_GUEST_TLS : LISTENER_KIND_GUEST);
    return true;
}

static void refuse_waiting(void *context, const struct health_admission_client *client)
{
    refused_clients_refuse(((struct listener *)context)->refused, client->fd,
                           client->listener_kind, client->reason);
}

/* Gives the client, for whom there is a place, to a loop. If its address has too many
 * connections, it may only ask for health. */
static void admit(struct listener *listener, struct health_admission_client *client)
{
    struct service *service = listener->service;
    struct socket_given given = {.fd = client->fd,
                                 .listener_kind = client->listener_kind,
                                 .len = client->len,
                                 .addr = client->addr};

    switch (peers_enter(service->peers, (const struct sockaddr *)&client->addr,
                        client->listener_kind == LISTENER_KIND_ADMIN, &given.peer)) {
    case PEERS_ENTERED:
        loop_give_entered(least_loaded(service), &given);
        break;
    case PEERS_TOO_MANY:
        client->reason = METRICS_REJECT_ADDRESS;
        health_admission_enter(listener->admission, client);
        break;
    case PEERS_NO_MEMORY:
        close(client->fd);
        break;
    }
}

/* Accepts connections until the queue is empty, but at most `most`. */
static void accept_queued(struct listening *listening, int most)
{
    struct listener *listener = listening->listener;
    struct service *service = listener->service;

    for (int i = 0; i < most; i++) {
        struct health_admission_client client = {.listener_kind = listening->listener_kind,
                                                 .reason = METRICS_REJECT_CONNECTIONS,
                                                 .len = sizeof client.addr};
        struct sockaddr *addr = (struct sockaddr *)&client.addr;
        int fd = accept4(listening->fd, addr, &client.len, SOCK_NONBLOCK | SOCK_CLOEXEC);

        client.fd = fd;
        if (fd < 0) {
            if (errno == EINTR || errno == ECONNABORTED)
                continue;
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                refuse_with_spare(listener, listening);
            return;
        }
        if (is_full(service, listening->listener_kind) &&
            listening->listener_kind == LISTENER_KIND_ADMIN)
            refused_clients_refuse(listener->refused, fd, LISTENER_KIND_ADMIN,
                                   METRICS_REJECT_CONNECTIONS);
        else if (is_full(service, listening->listener_kind))
            health_admission_enter(listener->admission, &client);
        else
            admit(listener, &client);
    }
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
    struct listening *listening = poll->data;

    if (status == 0)
        accept_queued(listening, ACCEPTS);
}

/* ---- life -------------------------------------------------------------------------- */

/* Remembers the inode of the socket's file, so that no other file is removed at the end. */
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
        unlinkat(AT_FDCWD, listening->path, 0);
}

static bool open_one(struct listener *listener, const char *text,
                     enum listener_kind listener_kind, struct service_error *error)
{
    const char *flag = listener_kind == LISTENER_KIND_ADMIN ? "--admin-listen" : "--listen";
    struct listening *listening = &listener->at[listener->count];
    struct address address;
    char why[300];

    error->exit_code = 78;
    if (!address_parse(&address, text, why, sizeof why)) {
        snprintf(error->text, sizeof error->text, "%s %s", flag, why);
        return false;
    }
    error->exit_code = address.passed ? 78 : 69;
    listening->fd = address_listen(&address, why, sizeof why);
    if (listening->fd < 0) {
        snprintf(error->text, sizeof error->text, "%s %s: %s", flag, text, why);
        return false;
    }
    listening->listener = listener;
    listening->passed = address.passed;
    listening->listener_kind =
        listener_kind == LISTENER_KIND_TLS && address_socket_is_unix(listening->fd)
            ? LISTENER_KIND_PUBLIC
            : listener_kind;
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

static bool open_all(struct listener *listener, const struct config_list *list,
                     enum listener_kind listener_kind, struct service_error *error)
{
    for (size_t i = 0; i < list->count; i++)
        if (!open_one(listener, list->item[i], listener_kind, error))
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
    listener->refused = refused_clients_new(service, uv);
    listener->admission =
        health_admission_new(uv, &(struct health_admission_callbacks){.admit = admit_for_health,
                                                                      .refuse = refuse_waiting,
                                                                      .context = listener});
    if (listener->refused && listener->admission &&
        open_all(listener, &config->listen,
                 config->tls_cert ? LISTENER_KIND_TLS : LISTENER_KIND_PUBLIC, error) &&
        open_all(listener, &config->admin_listen, LISTENER_KIND_ADMIN, error))
        return listener;
    listener_stop(listener);
    uv_run(uv, UV_RUN_DEFAULT);
    listener_free(listener);
    return NULL;
}

/* Writes the address that a browser opens on this machine, from that of a socket; "" for a
 * socket of the file system. */
static void print_url(char *url, size_t size, const char *address, enum listener_kind kind,
                      const char *prefix)
{
    const char *port = strrchr(address, ':');
    const bool is_any =
        strncmp(address, "0.0.0.0:", 8) == 0 || strncmp(address, "[::]:", 5) == 0;

    if (!port || strncmp(address, "unix:", 5) == 0)
        *url = '\0';
    else
        snprintf(url, size, "%s://%s%s%s/", kind == LISTENER_KIND_TLS ? "https" : "http",
                 is_any ? "localhost" : address, is_any ? port : "", prefix);
}

void listener_run(struct listener *listener)
{
    static const char *const kinds[] = {[LISTENER_KIND_PUBLIC] = "public",
                                        [LISTENER_KIND_TLS] = "tls",
                                        [LISTENER_KIND_ADMIN] = "admin"};
    const char *prefix = listener->service->config.path_prefix;
    char text[160], url[512];

    listener->paused = true;
    resume(listener);
    for (size_t i = 0; i < listener->count; i++) {
        address_print(listener->at[i].fd, text, sizeof text);
        const enum listener_kind kind = listener->at[i].listener_kind;

        print_url(url, sizeof url, text, kind, prefix ? prefix : "");
        log_event(listener->service->log, LOG_INFO, "listening",
                  (struct log_field[]){
                      {.name = "on", .text = text},
                      {.name = "listener", .text = kinds[kind]},
                      {.name = *url && kind != LISTENER_KIND_ADMIN ? "url" : NULL, .text = url},
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
        if (uv_is_active((uv_handle_t *)&listening->poll) && !listening->passed)
            accept_queued(listening, INT_MAX);
        remove_file(listening);
        uv_close((uv_handle_t *)&listening->poll, on_closed);
    }
    health_admission_free(listener->admission);
    refused_clients_free(listener->refused);
    uv_close((uv_handle_t *)&listener->timer, NULL);
    if (listener->spare >= 0)
        close(listener->spare);
}

bool listener_is_passed(const struct listener *listener)
{
    for (size_t i = 0; i < listener->count; i++)
        if (listener->at[i].passed)
            return true;
    return false;
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
