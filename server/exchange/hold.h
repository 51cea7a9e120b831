/* SPDX-License-Identifier: Apache-2.0
 * hold.h - the memory that the body of a request holds, counted as it is used (bodies.h): for
 * the key that the client showed, where keys are in use; for its address, where connections
 * are counted by it; else for the connection, since behind a proxy or on a unix socket all
 * clients have one address. */
#ifndef SERVER_HOLD_H
#define SERVER_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "server/exchange/exchange_parts.h"

#define HOLD_TOO_MANY "too many bodies in memory; try again"
#define HOLD_TOO_LARGE                                                                         \
    "the numbers of this body take more memory than bodies have here; send fewer of them, or " \
    "tensors as npy or safetensors"

/* Takes bytes until the exchange ends; false: there is no room. */
bool hold_take(struct exchange *ex, uint64_t bytes);
/* The same; without room the problem is the next step. */
bool hold_take_or_fail(struct exchange *ex, uint64_t bytes);
/* A body never finds room for so many bytes, though there be no other. */
bool hold_is_in_vain(const struct exchange *ex, uint64_t bytes);
/* Gives back all but so many bytes. */
void hold_release(struct exchange *ex, uint64_t kept);

#endif
