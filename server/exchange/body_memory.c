/* SPDX-License-Identifier: Apache-2.0
 * body_memory.c - see body_memory.h. */
#include "server/exchange/body_memory.h"

#include <string.h>

#include "server/exchange/auth.h"
#include "server/files/secrets.h"
#include "server/net/address_limit.h"
#include "server/net/body_budget.h"

enum kind { PEER_KEY, PEER_ADDRESS, PEER_CONNECTION };

static uint64_t number_of(const struct exchange *ex, enum kind kind, uint64_t id)
{
    const uint64_t both[] = {kind, id};

    return siphash(&exchange_service(ex)->peer_key, both, sizeof both);
}

/* Returns a keyed hash that no client can predict, so that no two peers are taken for one. */
static uint64_t peer_number(const struct exchange *ex)
{
    const struct service *service = exchange_service(ex);
    const char *key = auth_token(ex);
    const union MHD_ConnectionInfo *info;
    uint64_t address;

    if (loop_secrets(ex->state->loop)->clients && *key)
        return number_of(ex, PEER_KEY, siphash(&service->peer_key, key, strlen(key)));
    info = MHD_get_connection_info(ex->connection->mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (service->address_limit && info && info->client_addr &&
        address_limit_number(info->client_addr, &address))
        return number_of(ex, PEER_ADDRESS, address);
    return number_of(ex, PEER_CONNECTION, (uint64_t)(uintptr_t)ex->connection);
}

bool body_memory_take(struct exchange *ex, uint64_t bytes)
{
    if (ex->body.memory.bytes == 0)
        ex->body.memory.peer = peer_number(ex);
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
