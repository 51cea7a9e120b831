/* SPDX-License-Identifier: Apache-2.0
 * body_budget.h - the memory that the bodies of requests hold, together and by peer, counted as
 * it is used and never as it is announced. Bodies have a share of --max-inflight, and an eighth
 * of that share is every peer's own. A peer may have more than its eighth only while nobody
 * else wants the room: a peer within its eighth is given room even where those beyond theirs
 * have taken it, and they give way. Thread-safe; counting allocates nothing. */
#ifndef SERVER_BODY_BUDGET_H
#define SERVER_BODY_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct body_budget;

/* Counts at most `peers` peers at once. Each has an eighth of `share`; `most`, at least the
 * share, is what all may hold together while a peer is beyond its eighth. NULL: no memory. */
struct body_budget *body_budget_new(size_t peers, uint64_t share, uint64_t most);
void body_budget_free(struct body_budget *bodies); /* NULL: nothing */

/* Counts bytes for a peer, which is a number drawn from its key, its address or its connection.
 * False, and nothing is counted, if the budget has too few bytes left. */
bool body_budget_take(struct body_budget *bodies, uint64_t peer, uint64_t bytes);
void body_budget_give_back(struct body_budget *bodies, uint64_t peer, uint64_t bytes);
/* Undoes a body_budget_take: nobody has got anything back, so what is wanted stays wanted. */
void body_budget_undo(struct body_budget *bodies, uint64_t peer, uint64_t bytes);

uint64_t body_budget_held(const struct body_budget *bodies);
/* A peer may never have so many bytes, even alone: trying again is in vain. */
bool body_budget_never_fit(const struct body_budget *bodies, uint64_t bytes);
/* A computation was refused for want of so many bytes: peers beyond their eighth give way. */
void body_budget_want(struct body_budget *bodies, uint64_t bytes);
/* Bytes that have to be given back; mostly 0. */
uint64_t body_budget_wanted(const struct body_budget *bodies);
/* Enough bodies were cut off: what was wanted will be given back. */
void body_budget_satisfy(struct body_budget *bodies);
/* A peer within its eighth was refused, since all eighths are taken: not only peers beyond
 * their eighth have to give way, but the slowest body as well. */
bool body_budget_are_crowded(const struct body_budget *bodies);
/* Bytes of a peer beyond its eighth. */
uint64_t body_budget_beyond(struct body_budget *bodies, uint64_t peer);

#endif
