/* SPDX-License-Identifier: Apache-2.0
 * cache_wait.h - lets an exchange wait for an entry that another exchange makes. The maker
 * wakes it from any thread; a post then has its own loop resume the connection. */
#pragma once

#include "server/exchange/wait.h"

/* Gets the entry of response_key as cache_get does, into ex->work.entry. WAIT: the exchange has
 * a wait, until the entry is done. It never waits if ex->work.no_coalescing. */
enum cache_result cache_wait_get(struct exchange *ex, enum content_coding coding);
/* Spins until the entry is done, at most `ns`. True: done, and the exchange waits no longer. */
bool cache_wait_spin(struct exchange *ex, uint64_t ns);
