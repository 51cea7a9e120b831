/* SPDX-License-Identifier: Apache-2.0
 * inflight.h - the budget of --max-inflight: bytes of bodies, computations and responses in
 * memory, and how much of them each may hold. Thread-safe. */
#ifndef SERVER_INFLIGHT_H
#define SERVER_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct service;

/* Takes bytes of the budget; false when too few are left (503). */
bool inflight_reserve(struct service *service, uint64_t bytes);
void inflight_release(struct service *service, uint64_t bytes);
/* A computation was refused for want of `bytes`: the largest other holders have to give way. */
void inflight_want(struct service *service, uint64_t bytes);
/* From now on (until no more) a response that is being sent holds `bytes` of what was
 * reserved. */
void inflight_begin_send(struct service *service, uint64_t bytes);
void inflight_end_send(struct service *service, uint64_t bytes);
/* Bytes that responses being sent hold (reserved, or lent by the cache) beyond what they may
 * hold while others want memory: the slowest readers give way (load_shedding.h). */
uint64_t inflight_excess(const struct service *service);
/* `bytes` will be free soon, because the connections that hold them were cut off; they are free
 * now. */
void inflight_begin_leave(struct service *service, uint64_t bytes);
void inflight_end_leave(struct service *service, uint64_t bytes);
/* Bytes of --max-inflight in use. */
uint64_t inflight_used(const struct service *service);
/* Bytes in use by bodies, by responses that are being sent, and by everything else. */
void inflight_shares(const struct service *service, uint64_t *bodies, uint64_t *sending,
                     uint64_t *computing);
/* The bytes that one body holds of the budget, and of the share of bodies (body_budget.h). */
struct inflight_body {
    uint64_t peer, bytes;
};
/* False when there are too few bytes left; nothing has changed then. */
bool inflight_reserve_body(struct service *service, struct inflight_body *body, uint64_t bytes);
/* Gives back all but `kept` bytes. */
void inflight_release_body(struct service *service, struct inflight_body *body, uint64_t kept);
/* Somebody wants bytes that others have to give back: connections should be looked at now. */
bool inflight_is_short(const struct service *service);

#endif
