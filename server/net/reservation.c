/* SPDX-License-Identifier: Apache-2.0
 * reservation.c - see reservation.h. */
#include "server/net/reservation.h"

#include "server/net/inflight.h"

static bool take(struct buffer_budget *budget, size_t bytes)
{
    return reservation_take((struct reservation *)(void *)budget, bytes);
}

struct reservation reservation_of(struct service *service)
{
    return (struct reservation){.budget = {take}, .service = service};
}

struct reservation reservation_of_problem(struct service *service)
{
    return (struct reservation){.budget = {take},
                                .service = service,
                                .allowance = RESERVATION_ALLOWANCE};
}

struct reservation reservation_of_metrics(struct service *service)
{
    return (struct reservation){.budget = {take},
                                .service = service,
                                .beyond = RESERVATION_METRICS_BEYOND};
}

struct reservation reservation_taken(struct service *service, uint64_t bytes)
{
    return (struct reservation){.budget = {take}, .service = service, .bytes = bytes};
}

bool reservation_take(struct reservation *reservation, uint64_t bytes)
{
    if (bytes <= reservation->allowance) {
        inflight_take_beyond(reservation->service, bytes, UINT64_MAX);
        reservation->allowance -= bytes;
    } else if (!(reservation->beyond > 0 &&
                 inflight_take_beyond(reservation->service, bytes, reservation->beyond)) &&
               !inflight_reserve(reservation->service, bytes)) {
        reservation->refused = true;
        return false;
    }
    reservation->bytes += bytes;
    return true;
}

bool reservation_reserve(void *reservation, uint64_t bytes)
{
    return reservation_take(reservation, bytes);
}

void reservation_trim(struct reservation *reservation, uint64_t kept)
{
    if (reservation->bytes <= kept)
        return;
    inflight_release(reservation->service, reservation->bytes - kept);
    reservation->bytes = kept;
}
