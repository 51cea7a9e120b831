/* SPDX-License-Identifier: Apache-2.0
 * exchange_memory.h - counts the memory that the body of a request holds, as it is used, for
 * the peer of the request (body_budget.h, peers.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/exchange/internal.h"

#define EXCHANGE_BODY_TOO_MANY "too many bodies in memory; try again"
#define EXCHANGE_BODY_TOO_LARGE                                                                \
    "the numbers of this body take more memory than bodies have here; send fewer of them, or " \
    "tensors as npy or safetensors"

/* Takes bytes until the exchange ends; false: the budget has too few left. */
bool exchange_reserve_body(struct exchange *ex, uint64_t bytes);
/* Takes bytes as exchange_reserve_body; if it cannot, the step of the problem is next. */
bool exchange_reserve_body_or_fail(struct exchange *ex, uint64_t bytes);
/* Returns true if a body can never hold `bytes`, even alone. */
bool exchange_never_fits_body(const struct exchange *ex, uint64_t bytes);
/* Frees what was read of the body, if anything was, and gives its memory back. */
void exchange_forget_body(struct exchange *ex);
/* The values of the body are tensors of the request now: frees a body of JSON, and counts the
 * request in its place. False: the budget has too few bytes, and the problem's step is next. */
bool exchange_hand_over_body(struct exchange *ex);
/* Gives back all but `kept` bytes. */
void exchange_release_body(struct exchange *ex, uint64_t kept);
