/* SPDX-License-Identifier: Apache-2.0
 * hold.c - see hold.h. */
#include "server/exchange/hold.h"

#include <string.h>

#include "server/exchange/auth.h"
#include "server/files/secrets.h"
#include "server/net/bodies.h"
#include "server/net/clients.h"

enum kind { PEER_KEY, PEER_ADDRESS, PEER_CONNECTION };

static uint64_t number_of(const struct exchange *ex, enum kind kind, uint64_t known_by)
{
    const uint64_t both[] = {kind, known_by};

    return siphash(&exchange_service(ex)->peer_key, both, sizeof both);
}

/* A number that nobody can foretell, so that no two peers are taken for one. */
static uint64_t peer_number(const struct exchange *ex)
{
    const struct service *service = exchange_service(ex);
    const char *key = auth_token(ex);
    const union MHD_ConnectionInfo *info;
    uint64_t address;

    if (loop_secrets(ex->state->loop)->clients && *key)
        return number_of(ex, PEER_KEY, siphash(&service->peer_key, key, strlen(key)));
    info = MHD_get_connection_info(ex->connection->mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (service->clients && info && info->client_addr &&
        clients_number(info->client_addr, &address))
        return number_of(ex, PEER_ADDRESS, address);
    return number_of(ex, PEER_CONNECTION, (uint64_t)(uintptr_t)ex->connection);
}

bool hold_take(struct exchange *ex, uint64_t bytes)
{
    if (ex->held.bytes == 0)
        ex->held.peer = peer_number(ex);
    return service_reserve_body(exchange_service(ex), &ex->held, bytes);
}

bool hold_take_or_fail(struct exchange *ex, uint64_t bytes)
{
    if (hold_take(ex, bytes))
        return true;
    exchange_fail(ex, PROBLEM_OVERLOADED, HOLD_TOO_MANY);
    return false;
}

bool hold_is_in_vain(const struct exchange *ex, uint64_t bytes)
{
    return bodies_never_fit(exchange_service(ex)->bodies, bytes);
}

void hold_release(struct exchange *ex, uint64_t kept)
{
    service_release_body(exchange_service(ex), &ex->held, kept);
}
