/* SPDX-License-Identifier: Apache-2.0
 * body_memory.h - the memory that the body of a request holds, counted as it is used
 * (body_budget.h): for the key that the client showed, where keys are in use; for its address,
 * where connections are counted by it; else for the connection, since behind a proxy or on a
 * unix socket all clients have one address. */
#ifndef SERVER_BODY_MEMORY_H
#define SERVER_BODY_MEMORY_H

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
/* A body can never have so many bytes, even alone. */
bool body_memory_is_in_vain(const struct exchange *ex, uint64_t bytes);
/* Gives back all but so many bytes. */
void body_memory_release(struct exchange *ex, uint64_t kept);

#endif
