/* SPDX-License-Identifier: Apache-2.0
 * cache_wait.h - lets an exchange wait for an entry that another exchange makes. The maker
 * wakes it from any thread; a post then has its own loop resume the connection. */
#pragma once

#include "server/exchange/internal.h"

struct cache_wait *cache_wait_new(struct exchange *ex); /* NULL: out of memory */
void cache_wait_free(struct cache_wait *wait);          /* before cache_wait_begin only */
struct cache_waiter *cache_wait_waiter(struct cache_wait *wait);
/* The cache has queued the waiter: the exchange waits until it is resumed. */
void cache_wait_begin(struct cache_wait *wait, struct cache_entry *entry);
/* Spins until the entry is done, at most `ns`. True: done, and the exchange waits no longer. */
bool cache_wait_spin(struct exchange *ex, uint64_t ns);
/* The exchange waits no longer (ex->work.entry is still held). */
void cache_wait_cancel(struct exchange *ex);
