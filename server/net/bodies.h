/* SPDX-License-Identifier: Apache-2.0
 * bodies.h - the memory that the bodies of requests hold, together and by peer, counted as it
 * is used and never as it is announced. Bodies have a share of --max-inflight, and an eighth of
 * that share is every peer's own. A peer may have more than its eighth only while nobody else
 * wants the room: a peer within its eighth is given room even where those beyond theirs have
 * taken it, and they give way. Thread-safe; counting allocates nothing. */
#ifndef SERVER_BODIES_H
#define SERVER_BODIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bodies;

/* Room to count so many peers at once. share: of which each has an eighth; most: what all may
 * hold while there are peers beyond their eighth, at least the share. NULL: out of memory. */
struct bodies *bodies_new(size_t peers, uint64_t share, uint64_t most);
void bodies_free(struct bodies *bodies); /* NULL: nothing */

/* Counts bytes for a peer, a number drawn from its key, its address or its connection; false,
 * and nothing is counted, if there is no room. */
bool bodies_take(struct bodies *bodies, uint64_t peer, uint64_t bytes);
void bodies_give_back(struct bodies *bodies, uint64_t peer, uint64_t bytes);

uint64_t bodies_held(const struct bodies *bodies);
/* More than one peer may have, though there be no other: trying again is in vain. */
bool bodies_never_fit(const struct bodies *bodies, uint64_t bytes);
/* So many bytes were not to be had for something else: peers beyond their eighth give way. */
void bodies_want(struct bodies *bodies, uint64_t bytes);
/* Bytes that have to be given back; mostly 0. */
uint64_t bodies_wanted(const struct bodies *bodies);
/* A peer within its eighth found no room, since all eighths are taken: not only those beyond
 * theirs have to give way, but the slowest as well. */
bool bodies_are_crowded(const struct bodies *bodies);
/* Bytes of a peer beyond its eighth. */
uint64_t bodies_beyond(struct bodies *bodies, uint64_t peer);

#endif
