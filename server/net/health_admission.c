/* SPDX-License-Identifier: Apache-2.0
 * health_admission.c - peeks at the first bytes of sockets and leaves them unread. See
 * health_admission.h. A poll would report half a head again and again, so a timer peeks instead
 * while a client waits. */
#include "server/net/health_admission.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proto/http/endpoint.h"

enum {
    LOOK_MS = 10,
    WAIT_MS = 200,
    HEAD_MAX = 4096, /* most bytes in the head of a request for health */
};

enum sight { WAITING, HEALTH, OTHER, GONE };

struct health_admission {
    struct health_admission_ways ways;
    uv_timer_t timer;
    size_t count;
    struct place {
        struct health_admission_client client;
        uint64_t until_ms;
    } places[LISTENER_KIND_WAITING_PLACES]; /* oldest first */
};

/* ---- looking ------------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t len, const char *end)
{
    size_t end_len = strlen(end);

    return len >= end_len && memcmp(text + len - end_len, end, end_len) == 0;
}

/* Returns true if the path of the request line ends with that of an endpoint that is answered
 * at any level of overload; a prefix or an authority may stand before it. */
static bool asks_for_health(const char *line, size_t len)
{
    const char *path = memchr(line, ' ', len), *end;

    if (!path)
        return false;
    path++;
    len -= (size_t)(path - line);
    end = memchr(path, ' ', len);
    len = end ? (size_t)(end - path) : len;
    end = memchr(path, '?', len);
    len = end ? (size_t)(end - path) : len;
    for (size_t i = 0; i < ENDPOINT_COUNT; i++)
        if (endpoint_is_vital(endpoint_at(i)) && ends_with(path, len, endpoint_at(i)->path))
            return true;
    return false;
}

static enum sight look(const struct health_admission_client *client)
{
    char head[HEAD_MAX];
    ssize_t got = recv(client->fd, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    const char *line_end;

    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? WAITING : GONE;
    if (got == 0)
        return GONE;
    if (client->listener_kind == LISTENER_KIND_TLS)
        return HEALTH;
    line_end = memchr(head, '\n', (size_t)got);
    if (line_end && !asks_for_health(head, (size_t)(line_end - head)))
        return OTHER;
    if (line_end && memmem(head, (size_t)got, "\r\n\r\n", 4))
        return HEALTH;
    return (size_t)got == sizeof head ? OTHER : WAITING;
}

/* Returns false if the client waits on. */
static bool settle(struct health_admission *lobby, const struct health_admission_client *client)
{
    enum sight sight = look(client);

    if (sight == WAITING)
        return false;
    if (sight == HEALTH)
        return lobby->ways.admit(lobby->ways.context, client);
    if (sight == OTHER)
        lobby->ways.refuse(lobby->ways.context, client);
    else
        close(client->fd);
    return true;
}

/* ---- waiting ------------------------------------------------------------------------- */

static void leave(struct health_admission *lobby, size_t i)
{
    lobby->count--;
    memmove(lobby->places + i, lobby->places + i + 1,
            (lobby->count - i) * sizeof *lobby->places);
}

static void refuse_oldest(struct health_admission *lobby)
{
    lobby->ways.refuse(lobby->ways.context, &lobby->places[0].client);
    leave(lobby, 0);
}

static void on_look(uv_timer_t *timer)
{
    struct health_admission *lobby = timer->data;
    uint64_t now = uv_now(timer->loop);

    for (size_t i = lobby->count; i-- > 0;)
        if (settle(lobby, &lobby->places[i].client))
            leave(lobby, i);
    while (lobby->count > 0 && now >= lobby->places[0].until_ms)
        refuse_oldest(lobby);
    if (lobby->count == 0)
        uv_timer_stop(timer);
}

void health_admission_enter(struct health_admission *lobby,
                            const struct health_admission_client *client)
{
    uint64_t now = uv_now(lobby->timer.loop);

    if (settle(lobby, client))
        return;
    if (lobby->count == LISTENER_KIND_WAITING_PLACES)
        refuse_oldest(lobby);
    lobby->places[lobby->count++] =
        (struct place){.client = *client, .until_ms = now + WAIT_MS};
    if (!uv_is_active((uv_handle_t *)&lobby->timer))
        uv_timer_start(&lobby->timer, on_look, LOOK_MS, LOOK_MS);
}

/* ---- life ---------------------------------------------------------------------------- */

struct health_admission *health_admission_new(uv_loop_t *uv,
                                              const struct health_admission_ways *ways)
{
    struct health_admission *lobby = calloc(1, sizeof *lobby);

    if (!lobby || uv_timer_init(uv, &lobby->timer) != 0) {
        free(lobby);
        return NULL;
    }
    lobby->timer.data = lobby;
    lobby->ways = *ways;
    return lobby;
}

static void on_closed(uv_handle_t *timer)
{
    free(timer->data);
}

void health_admission_free(struct health_admission *lobby)
{
    if (!lobby)
        return;
    on_look(&lobby->timer); /* a request for health may have arrived since the last look */
    while (lobby->count > 0)
        refuse_oldest(lobby);
    uv_close((uv_handle_t *)&lobby->timer, on_closed);
}
