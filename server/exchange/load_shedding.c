/* SPDX-License-Identifier: Apache-2.0
 * load_shedding.c - see load_shedding.h. The slowest body is the one whose deadline comes
 * first, since a deadline moves with each byte. */
#include "server/exchange/load_shedding.h"

#include "server/exchange/auth.h"
#include "server/net/body_budget.h"
#include "server/net/peers.h"
#include "server/net/reader_pace.h"

static const char slow_client[] =
    "its client read nothing for a second, or less than 64 KiB a second, while others wanted "
    "the memory";

/* ---- clients -------------------------------------------------------------------------- */

/* An answer has begun, and the connection waits for its client. */
static bool is_sending(const struct connection *connection)
{
    return connection->exchange && connection->phase == PHASE_SEND &&
           connection->deadline_ms != 0 && connection->exchange->response.shed == 0;
}

static void look_at(struct connection *connection)
{
    reader_pace_look(&connection->pace, connection->fd, connection->calls,
                     loop_now_ms(connection->loop));
}

/* Looks again at a client that was slow when last looked at. */
static bool is_slow(struct connection *connection)
{
    if (!is_sending(connection) || !reader_pace_is_slow(&connection->pace))
        return false;
    look_at(connection);
    return reader_pace_is_slow(&connection->pace);
}

/* ---- bodies -------------------------------------------------------------------------- */

/* A body that the pool works on is not ended: it is released soon. */
static bool holds_body(struct connection *connection)
{
    return connection->exchange && connection->exchange->body.memory.bytes > 0 &&
           !connection->exchange->body.discard && connection->deadline_ms != 0 &&
           (connection->phase == PHASE_BODY || is_slow(connection));
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

static void shed_bodies(struct service *service, struct connection *first)
{
    uint64_t wanted = body_budget_wanted(service->bodies), freed = 0;

    while (freed < wanted) {
        struct connection *connection = next_body(service, first);

        if (!connection)
            break;
        freed += connection->exchange->body.memory.bytes;
        if (connection->phase == PHASE_BODY)
            exchange_shed_body(connection);
        else
            exchange_cut(connection, slow_client);
    }
    if (wanted > 0 && freed >= wanted)
        body_budget_satisfy(service->bodies);
}

/* ---- answers ------------------------------------------------------------------------- */

/* The bytes that are free again when the connection of this answer ends. */
static uint64_t held(const struct connection *connection)
{
    const struct exchange *ex = connection->exchange;

    return ex->work.reserved + (ex->response.entry ? cache_entry_lent(ex->response.entry) : 0);
}

/* Keeps the pace of all clients whose answers hold bytes. */
static void look(struct connection *first)
{
    for (struct connection *at = first; at; at = at->next)
        if (is_sending(at) && held(at) > 0)
            look_at(at);
}

/* Returns the slow client whose peer's answers hold most, and of the peer's the one that holds
 * most itself; NULL: no client is slow. */
static struct connection *next_slow(struct connection *first)
{
    struct connection *chosen = NULL;
    uint64_t most = 0, most_own = 0;

    for (struct connection *at = first; at; at = at->next) {
        uint64_t own, all;

        if (!is_slow(at) || (own = held(at)) == 0)
            continue;
        all = atomic_load_explicit(&auth_peer(at->exchange)->answer, memory_order_relaxed);
        if (chosen && (all < most || (all == most && own <= most_own)))
            continue;
        chosen = at;
        most = all;
        most_own = own;
    }
    return chosen;
}

/* Ends answers until nothing is held beyond the share and `wanted` bytes come free. */
static void shed_answers(struct service *service, struct connection *first, uint64_t wanted)
{
    uint64_t freed = 0;

    while (inflight_excess(service) > 0 || freed < wanted) {
        struct connection *connection = next_slow(first);

        if (!connection)
            break;
        connection->exchange->response.shed = held(connection);
        freed += connection->exchange->response.shed;
        inflight_begin_leave(service, connection->exchange->response.shed);
        exchange_cut(connection, slow_client);
    }
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
    shed_answers(service, connection, 0);
    end(service);
}

void load_shedding(struct service *service, struct connection *first)
{
    if (inflight_is_filling(service))
        look(first);
    if (!inflight_is_short(service) || !begin(service))
        return;
    shed_bodies(service, first);
    shed_answers(service, first,
                 atomic_exchange_explicit(&service->missing_bytes, 0, memory_order_relaxed));
    end(service);
}
