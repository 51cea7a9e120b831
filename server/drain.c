/* SPDX-License-Identifier: Apache-2.0
 * drain.c - see drain.h. */
#include "server/drain.h"

#include <stdlib.h>

#include "server/net/listener.h"
#include "server/net/loop.h"
#include "server/shared.h"
#include "server/sys/log.h"

enum {
    LOOK_MS = 20,
    LAST_MS = 2000, /* of the timeout, for connections that came while others were finished */
};

struct drain {
    struct service *service;
    struct listener *listener;
    uv_loop_t *uv;
    uv_timer_t timer;
    void (*done)(struct service *service);
    uint64_t timeout_ms, give_up_ms;
    uint64_t close_ms; /* when no more connections are accepted */
    bool closed;       /* none are */
};

struct drain *drain_new(struct service *service, struct listener *listener, uv_loop_t *uv,
                        void (*done)(struct service *service))
{
    struct drain *drain = calloc(1, sizeof *drain);

    if (!drain || uv_timer_init(uv, &drain->timer) != 0) {
        free(drain);
        return NULL;
    }
    drain->service = service;
    drain->listener = listener;
    drain->uv = uv;
    drain->done = done;
    drain->timer.data = drain;
    return drain;
}

static void finish(struct drain *drain)
{
    uint64_t open = atomic_load(&drain->service->connections);

    log_event(drain->service->log, open ? LOG_WARN : LOG_INFO, "drained",
              (struct log_field[]){{.name = "cut", .number = (int64_t)open}, {0}});
    uv_timer_stop(&drain->timer);
    drain->done(drain->service);
}

static void drain_loops(const struct drain *drain)
{
    for (size_t i = 0; i < drain->service->loop_count; i++)
        loop_drain(drain->service->loops[i]);
}

/* Whether a connection is open that was open when the drain began. */
static bool any_leaving(const struct drain *drain)
{
    for (size_t i = 0; i < drain->service->loop_count; i++)
        if (loop_leaving(drain->service->loops[i]) > 0)
            return true;
    return false;
}

static void on_look(uv_timer_t *timer)
{
    struct drain *drain = timer->data;

    if (!drain->closed && (!any_leaving(drain) || uv_now(drain->uv) >= drain->close_ms)) {
        drain->closed = true;
        listener_stop(drain->listener);
        drain_loops(drain);
        return;
    }
    if (!drain->closed)
        return;
    if (atomic_load(&drain->service->connections) == 0 ||
        uv_now(drain->uv) >= drain->give_up_ms)
        finish(drain);
}

static void on_delay_over(uv_timer_t *timer)
{
    struct drain *drain = timer->data;

    drain->give_up_ms = uv_now(drain->uv) + drain->timeout_ms;
    drain->closed = !listener_is_passed(drain->listener);
    drain->close_ms =
        drain->give_up_ms - (drain->timeout_ms / 2 < LAST_MS ? drain->timeout_ms / 2 : LAST_MS);
    if (drain->closed)
        listener_stop(drain->listener);
    drain_loops(drain);
    uv_timer_start(&drain->timer, on_look, 0, LOOK_MS);
}

void drain_begin(struct drain *drain, uint64_t delay_ms, uint64_t timeout_ms)
{
    int state = atomic_load(&drain->service->state);

    if (state >= SERVICE_DRAINING)
        return;
    atomic_store(&drain->service->state, SERVICE_DRAINING);
    log_event(drain->service->log, LOG_INFO, "draining",
              (struct log_field[]){{.name = "delay_ms", .number = (int64_t)delay_ms},
                                   {.name = "timeout_ms", .number = (int64_t)timeout_ms},
                                   {0}});
    drain->timeout_ms = timeout_ms;
    uv_update_time(drain->uv);
    uv_timer_start(&drain->timer, on_delay_over, delay_ms, 0);
}

void drain_stop(struct drain *drain)
{
    uv_close((uv_handle_t *)&drain->timer, NULL);
}

void drain_free(struct drain *drain)
{
    free(drain);
}
