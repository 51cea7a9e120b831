/* SPDX-License-Identifier: Apache-2.0
 * inflight.h - the account of the memory that requests hold: the budget of --max-inflight.
 * What is taken of it, by whom, and its cap besides the budget:
 *
 *     bodies, and the values read of them: inflight_reserve_body; half of the budget, or
 *         --max-body where that is more and no peer wants an eighth of the half (body_budget.h)
 *     plans: inflight_reserve, for pe_limits.reserve; long ones leave three sixteenths
 *     answers that are made, and blocks of streams: exchange_reserve; the share of their peer
 *         (answer_share.h)
 *     answers of batches: batch_part.c; a quarter of the budget each, and the same share
 *     texts, and what becomes a body of a response: reservation.h; some go beyond the budget
 *     gzip variants: inflight_reserve, by compress.c and the pool's jobs
 *     entries that are sent and not kept: cache_lent, which the cache counts
 *
 * Each byte is in one of these, and once in the sum, inflight_used. What is said besides of
 * bytes that were taken: those of responses being sent (inflight_begin_send), those that come
 * free soon (inflight_begin_leave), and what the answers of a peer hold (peers.h). Entries that
 * are kept, shared tables and files of the operator have budgets of their own. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct service;
struct peer;

/* Takes bytes of the budget; false when too few are left (503). */
bool inflight_reserve(struct service *service, uint64_t bytes);
/* Takes bytes that the caller can do without: a refusal makes no other request give bytes
 * back. */
bool inflight_try(struct service *service, uint64_t bytes);
void inflight_release(struct service *service, uint64_t bytes);
/* Takes bytes even if the budget, with them, is exceeded by up to `beyond` bytes; UINT64_MAX:
 * always. False: by more, and none is taken. */
bool inflight_take_beyond(struct service *service, uint64_t bytes, uint64_t beyond);
/* A refused request lacked `bytes`: bodies beyond their share and slow clients must give memory
 * back. */
void inflight_want(struct service *service, uint64_t bytes);
/* Between the two calls a response that is being sent holds `bytes` of what was reserved. */
void inflight_begin_send(struct service *service, uint64_t bytes);
void inflight_end_send(struct service *service, uint64_t bytes);
/* Returns the bytes that responses being sent hold (reserved, or evicted from the cache and
 * still in use) beyond their share while other requests want memory: the slowest readers have
 * to give them back (load_shedding.h). */
uint64_t inflight_excess(const struct service *service);
/* inflight_begin_leave: the connections that hold `bytes` were cut off, so these will be free
 * soon. inflight_end_leave: the bytes are free now. */
void inflight_begin_leave(struct service *service, uint64_t bytes);
void inflight_end_leave(struct service *service, uint64_t bytes);
/* Returns the bytes of --max-inflight in use. */
uint64_t inflight_used(const struct service *service);
/* Returns the bytes in use by bodies, by responses that are being sent, and by the rest. */
void inflight_shares(const struct service *service, uint64_t *bodies, uint64_t *sending,
                     uint64_t *computing);
/* Bytes that one body holds of the budget and of the share of bodies (body_budget.h). While it
 * holds some, it refers to its peer, which the caller has set before the first reservation. */
struct inflight_body {
    struct peer *peer;
    uint64_t bytes;
};
/* Returns false, and changes nothing, when too few bytes are left. */
bool inflight_reserve_body(struct service *service, struct inflight_body *body, uint64_t bytes);
/* Gives back all but `kept` bytes. */
void inflight_release_body(struct service *service, struct inflight_body *body, uint64_t kept);
/* True: a request wants bytes that other connections must give back; sweep them now. */
bool inflight_is_short(const struct service *service);
/* True: responses being sent hold so much that they may have to give bytes back soon, so that
 * it must be known whose clients are slow. */
bool inflight_is_filling(const struct service *service);
