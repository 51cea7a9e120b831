/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.c - see load_shedding.h. The slowest connection is the one whose deadline comes
 * first, since a deadline moves with each byte. */
#include "server/exchange/load_shedding.h"

#include "server/exchange/body_reader.h"
#include "server/exchange/chunked_body.h"
#include "server/net/body_budget.h"

enum { SMALL_PLAN = 64 << 10 }; /* bytes; ending a smaller plan would help nobody */

/* ---- bodies -------------------------------------------------------------------------- */

/* A body that the pool works on is not ended: it is released soon. */
static bool holds_body(const struct connection *connection)
{
    return connection->exchange && connection->exchange->body.memory.bytes > 0 &&
           !connection->exchange->body.discard && connection->deadline_ms != 0 &&
           (connection->phase == PHASE_BODY || connection->phase == PHASE_SEND);
}

/* The body whose peer has most beyond its eighth, else the slowest body; NULL: no body. */
static struct connection *next_body(struct service *service, struct connection *first)
{
    bool crowded = body_budget_are_crowded(service->bodies);
    struct connection *chosen = NULL;
    uint64_t most = 0;

    for (struct connection *at = first; at; at = at->next) {
        uint64_t beyond;

        if (!holds_body(at))
            continue;
        beyond = body_budget_beyond(service->bodies, at->exchange->body.memory.peer);
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

/* Refuses an arriving body with 503; its further bytes are dropped. */
static void refuse_body(struct exchange *ex)
{
    (void)body_refuse(ex, PROBLEM_OVERLOADED,
                      "other clients want the memory that this body holds; try again");
    if (ex->body.chunked)
        chunked_body_stop(ex);
}

static void shed_bodies(struct service *service, struct connection *first)
{
    uint64_t wanted = body_budget_wanted(service->bodies), freed = 0;

    while (freed < wanted) {
        struct connection *connection = next_body(service, first);

        if (!connection)
            break;
        freed += connection->exchange->body.memory.bytes;
        if (connection->phase == PHASE_BODY)
            refuse_body(connection->exchange);
        else
            connection_drop(connection);
    }
    if (wanted > 0 && freed >= wanted)
        body_budget_satisfy(service->bodies);
}

/* ---- answers ------------------------------------------------------------------------- */

/* The bytes of a response being sent that are free again when the connection ends. */
static uint64_t sending(const struct connection *connection)
{
    const struct exchange *ex = connection->exchange;

    if (!ex || ex->response.shed > 0 || connection->phase != PHASE_SEND ||
        connection->deadline_ms == 0)
        return 0;
    return ex->response.sending +
           (ex->response.entry ? cache_entry_lent(ex->response.entry) : 0);
}

static struct connection *slowest_reader(struct connection *first)
{
    struct connection *chosen = NULL;

    for (struct connection *at = first; at; at = at->next)
        if (sending(at) > 0 && (!chosen || at->deadline_ms < chosen->deadline_ms))
            chosen = at;
    return chosen;
}

static void shed_answers(struct service *service, struct connection *first)
{
    while (inflight_excess(service) > 0) {
        struct connection *connection = slowest_reader(first);

        if (!connection)
            break;
        connection->exchange->response.shed = sending(connection);
        inflight_begin_leave(service, connection->exchange->response.shed);
        connection_drop(connection);
    }
}

/* The bytes of precomputed results in the plan, which lives as long as its response is sent. */
static uint64_t planned(const struct connection *connection)
{
    const struct exchange *ex = connection->exchange;

    return ex && connection->phase == PHASE_SEND && connection->deadline_ms != 0
               ? ex->work.reserved - ex->response.sending
               : 0;
}

static struct connection *largest_plan(struct connection *first)
{
    struct connection *chosen = NULL;
    uint64_t most = SMALL_PLAN;

    for (struct connection *at = first; at; at = at->next)
        if (planned(at) > most) {
            chosen = at;
            most = planned(at);
        }
    return chosen;
}

/* Ends one connection at a time: the next tick tells whether that was enough. */
static void shed_plans(struct service *service, struct connection *first)
{
    struct connection *connection;

    if (!atomic_exchange_explicit(&service->short_of_bytes, false, memory_order_relaxed))
        return;
    connection = largest_plan(first);
    if (connection)
        connection_drop(connection);
}

/* One loop sheds at a time: two at once would each free all the bytes that are wanted. A loop
 * that finds another shedding tries again at its next tick. */
static bool begin(struct service *service)
{
    return !atomic_exchange_explicit(&service->shedding, true, memory_order_acquire);
}

static void end(struct service *service)
{
    atomic_store_explicit(&service->shedding, false, memory_order_release);
}

void load_shedding_beside(struct connection *connection)
{
    struct service *service = exchange_service(connection->exchange);

    if (inflight_excess(service) == 0 || !begin(service))
        return;
    while (connection->prev)
        connection = connection->prev;
    shed_answers(service, connection);
    end(service);
}

void load_shedding(struct service *service, struct connection *first)
{
    if (!inflight_is_short(service) || !begin(service))
        return;
    shed_bodies(service, first);
    shed_answers(service, first);
    shed_plans(service, first);
    end(service);
}
