/* SPDX-License-Identifier: Apache-2.0
 * announcer.c - see announcer.h. */
#include "server/announcer.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/net/loop.h"
#include "server/shared.h"
#include "server/sys/notify_socket.h"

enum { SIGNS_OF_LIFE = 3 }; /* sent in the time in which the watchdog wants one */

struct announcer {
    struct service *service;
    uv_timer_t timer;
    const struct notify_socket *_Atomic notify; /* NULL: no manager yet */
};

static void announce(struct announcer *announcer, const char *lines)
{
    notify_socket_send(atomic_load(&announcer->notify), lines);
}

/* A service with a loop that is stuck gives no sign of life. */
static void on_timer(uv_timer_t *timer)
{
    struct announcer *announcer = timer->data;
    const struct service *service = announcer->service;

    for (size_t i = 0; i < service->loop_count; i++)
        if (!loop_is_alive(service->loops[i], uv_now(timer->loop)))
            return;
    announce(announcer, "WATCHDOG=1");
}

struct announcer *announcer_new(struct service *service, uv_loop_t *uv)
{
    struct announcer *announcer = calloc(1, sizeof *announcer);

    if (!announcer || uv_timer_init(uv, &announcer->timer) != 0) {
        free(announcer);
        return NULL;
    }
    announcer->service = service;
    announcer->timer.data = announcer;
    uv_unref((uv_handle_t *)&announcer->timer);
    return announcer;
}

void announcer_begin(struct announcer *announcer, const struct notify_socket *notify)
{
    uint64_t every = notify->watchdog_ms / SIGNS_OF_LIFE;

    /* Stored before the state is read: a service that becomes ready meanwhile is announced by
     * one of the two threads, or by both. */
    atomic_store(&announcer->notify, notify);
    announcer_ready(announcer);
    if (notify->watchdog_ms > 0)
        uv_timer_start(&announcer->timer, on_timer, 0, every ? every : 1);
}

void announcer_ready(struct announcer *announcer)
{
    if (atomic_load(&announcer->service->state) == SERVICE_READY)
        announce(announcer, "READY=1");
}

void announcer_reloading(struct announcer *announcer)
{
    char lines[64];

    if (atomic_load(&announcer->service->state) != SERVICE_READY)
        return;
    snprintf(lines, sizeof lines, "RELOADING=1\nMONOTONIC_USEC=%" PRIu64, uv_hrtime() / 1000);
    announce(announcer, lines);
}

void announcer_stopping(struct announcer *announcer)
{
    announce(announcer, "STOPPING=1");
}

void announcer_stop(struct announcer *announcer)
{
    uv_close((uv_handle_t *)&announcer->timer, NULL);
}

void announcer_free(struct announcer *announcer)
{
    free(announcer);
}
