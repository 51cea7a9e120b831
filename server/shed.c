/* SPDX-License-Identifier: Apache-2.0
 * shed.c - see shed.h. The slowest is whose deadline comes first: it moves with each byte. */
#include "server/shed.h"

#include "server/bodies.h"
#include "server/upload.h"

/* ---- bodies -------------------------------------------------------------------------- */

/* While the pool works on a body its end is near. */
static bool holds_body(const struct connection *connection)
{
    return connection->exchange && connection->exchange->held.bytes > 0 &&
           !connection->exchange->swallow && connection->deadline_ms != 0 &&
           (connection->phase == PHASE_BODY || connection->phase == PHASE_SEND);
}

/* The one to go, NULL if there is none: who has most beyond its own, else the slowest. */
static struct connection *next_body(struct service *service, struct connection *first)
{
    bool crowded = bodies_are_crowded(service->bodies);
    struct connection *chosen = NULL;
    uint64_t most = 0;

    for (struct connection *at = first; at; at = at->next) {
        uint64_t beyond;

        if (!holds_body(at))
            continue;
        beyond = bodies_beyond(service->bodies, at->exchange->held.peer);
        if (beyond == 0 && !crowded)
            continue;
        if (!chosen || beyond > most ||
            (beyond == most && at->deadline_ms < chosen->deadline_ms)) {
            chosen = at;
            most = beyond;
        }
    }
    return chosen;
}

static void shed_bodies(struct service *service, struct connection *first)
{
    uint64_t wanted = bodies_wanted(service->bodies), freed = 0;

    while (freed < wanted) {
        struct connection *connection = next_body(service, first);

        if (!connection)
            break;
        freed += connection->exchange->held.bytes;
        if (connection->phase == PHASE_BODY)
            upload_give_way(connection->exchange);
        else
            connection_drop(connection);
    }
}

void shed(struct service *service, struct connection *first)
{
    shed_bodies(service, first);
}
