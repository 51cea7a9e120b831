/* SPDX-License-Identifier: Apache-2.0
 * wait.h - an exchange that waits for an entry which another makes. The maker wakes it from
 * any thread; a post brings it back to its own loop, which resumes the connection. */
#ifndef SERVER_WAIT_H
#define SERVER_WAIT_H

#include "server/exchange/exchange_parts.h"

struct wait *wait_new(struct exchange *ex); /* NULL: out of memory */
void wait_free(struct wait *wait);          /* not begun */
struct cache_waiter *wait_waiter(struct wait *wait);
/* The cache has queued the waiter: the exchange waits until it is resumed. */
void wait_begin(struct wait *wait, struct cache_entry *entry);
/* Looks for `ns` whether the entry is done; then the exchange waits no longer. */
bool wait_spin(struct exchange *ex, uint64_t ns);
/* The exchange waits no longer (ex->entry is still held). */
void wait_cancel(struct exchange *ex);

#endif
