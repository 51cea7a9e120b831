/* SPDX-License-Identifier: Apache-2.0
 * body_memory.h - counts the memory that the body of a request holds, as it is used, for the
 * peer of the request (body_budget.h, peers.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "server/exchange/internal.h"

#define BODY_MEMORY_TOO_MANY "too many bodies in memory; try again"
#define BODY_MEMORY_TOO_LARGE                                                                  \
    "the numbers of this body take more memory than bodies have here; send fewer of them, or " \
    "tensors as npy or safetensors"

/* Takes bytes until the exchange ends; false: the budget has too few left. */
bool body_memory_take(struct exchange *ex, uint64_t bytes);
/* Takes bytes as body_memory_take; if it cannot, the step of the problem is next. */
bool body_memory_take_or_fail(struct exchange *ex, uint64_t bytes);
/* Returns true if a body can never hold `bytes`, even alone. */
bool body_memory_never_fits(const struct exchange *ex, uint64_t bytes);
/* Gives back all but `kept` bytes. */
void body_memory_release(struct exchange *ex, uint64_t kept);
