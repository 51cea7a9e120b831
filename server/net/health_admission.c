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
    PEEK_MS = 10,
    WAIT_MS = 200,
    HEAD_MAX = 4096, /* most bytes in the head of a request for health */
};

enum request { REQUEST_UNFINISHED, REQUEST_HEALTH, REQUEST_OTHER, REQUEST_NONE };

struct health_admission {
    struct health_admission_callbacks callbacks;
    uv_timer_t timer;
    size_t count;
    struct waiting {
        struct health_admission_client client;
        uint64_t until_ms;
    } waiting[LISTENER_KIND_WAITING_PLACES]; /* oldest first */
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

static enum request peek(const struct health_admission_client *client)
{
    char head[HEAD_MAX];
    ssize_t got = recv(client->fd, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
    const char *line_end;

    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? REQUEST_UNFINISHED
                                                                         : REQUEST_NONE;
    if (got == 0)
        return REQUEST_NONE;
    if (client->listener_kind == LISTENER_KIND_TLS)
        return REQUEST_HEALTH;
    line_end = memchr(head, '\n', (size_t)got);
    if (line_end && !asks_for_health(head, (size_t)(line_end - head)))
        return REQUEST_OTHER;
    if (line_end && memmem(head, (size_t)got, "\r\n\r\n", 4))
        return REQUEST_HEALTH;
    return (size_t)got == sizeof head ? REQUEST_OTHER : REQUEST_UNFINISHED;
}

/* Returns false if the client waits on. */
static bool decide(struct health_admission *admission,
                   const struct health_admission_client *client)
{
    enum request request = peek(client);

    if (request == REQUEST_UNFINISHED)
        return false;
    if (request == REQUEST_HEALTH)
        return admission->callbacks.admit(admission->callbacks.context, client);
    if (request == REQUEST_OTHER)
        admission->callbacks.refuse(admission->callbacks.context, client);
    else
        close(client->fd);
    return true;
}

/* ---- waiting ------------------------------------------------------------------------- */

static void remove_client(struct health_admission *admission, size_t i)
{
    admission->count--;
    memmove(admission->waiting + i, admission->waiting + i + 1,
            (admission->count - i) * sizeof *admission->waiting);
}

static void refuse_oldest(struct health_admission *admission)
{
    admission->callbacks.refuse(admission->callbacks.context, &admission->waiting[0].client);
    remove_client(admission, 0);
}

static void on_peek(uv_timer_t *timer)
{
    struct health_admission *admission = timer->data;
    uint64_t now = uv_now(timer->loop);

    for (size_t i = admission->count; i-- > 0;)
        if (decide(admission, &admission->waiting[i].client))
            remove_client(admission, i);
    while (admission->count > 0 && now >= admission->waiting[0].until_ms)
        refuse_oldest(admission);
    if (admission->count == 0)
        uv_timer_stop(timer);
}

void health_admission_enter(struct health_admission *admission,
                            const struct health_admission_client *client)
{
    uint64_t now = uv_now(admission->timer.loop);

    if (decide(admission, client))
        return;
    if (admission->count == LISTENER_KIND_WAITING_PLACES)
        refuse_oldest(admission);
    admission->waiting[admission->count++] =
        (struct waiting){.client = *client, .until_ms = now + WAIT_MS};
    if (!uv_is_active((uv_handle_t *)&admission->timer))
        uv_timer_start(&admission->timer, on_peek, PEEK_MS, PEEK_MS);
}

/* ---- life ---------------------------------------------------------------------------- */

struct health_admission *health_admission_new(
    uv_loop_t *uv, const struct health_admission_callbacks *callbacks)
{
    struct health_admission *admission = calloc(1, sizeof *admission);

    if (!admission || uv_timer_init(uv, &admission->timer) != 0) {
        free(admission);
        return NULL;
    }
    admission->timer.data = admission;
    admission->callbacks = *callbacks;
    return admission;
}

static void on_closed(uv_handle_t *timer)
{
    free(timer->data);
}

void health_admission_free(struct health_admission *admission)
{
    if (!admission)
        return;
    on_peek(&admission->timer); /* a request for health may have arrived since the last look */
    while (admission->count > 0)
        refuse_oldest(admission);
    uv_close((uv_handle_t *)&admission->timer, on_closed);
}
