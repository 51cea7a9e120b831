/* SPDX-License-Identifier: Apache-2.0
 * body_memory.c - see body_memory.h. */
#include "server/exchange/body_memory.h"

#include "server/net/body_budget.h"

bool body_memory_take(struct exchange *ex, uint64_t bytes)
{
    if (ex->body.memory.bytes == 0)
        ex->body.memory.peer = exchange_peer(ex);
    return inflight_reserve_body(exchange_service(ex), &ex->body.memory, bytes);
}

bool body_memory_take_or_fail(struct exchange *ex, uint64_t bytes)
{
    if (body_memory_take(ex, bytes))
        return true;
    exchange_fail(ex, PROBLEM_OVERLOADED, BODY_MEMORY_TOO_MANY);
    return false;
}

bool body_memory_never_fits(const struct exchange *ex, uint64_t bytes)
{
    return body_budget_never_fit(exchange_service(ex)->bodies, bytes);
}

void body_memory_release(struct exchange *ex, uint64_t kept)
{
    inflight_release_body(exchange_service(ex), &ex->body.memory, kept);
}
