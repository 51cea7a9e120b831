/* SPDX-License-Identifier: Apache-2.0
 * eviction.h - which entries stay within a byte budget: S3-FIFO (Yang et al., SOSP 2023).
 * A newcomer enters a small queue and leaves it unless it is asked for again; what was asked
 * for again lives in the main queue; a ghost table remembers who left lately. So a flood of
 * keys asked for once flows through the small queue and the rest stays.
 *
 * What is short and cheaply made again waits for its second request in a queue of its own, the
 * brief one, of a few MiB, and leaves it even where there is room: a flood of it would spread
 * over all the memory there is, and fetching that into the caches of the CPU takes longer than
 * making the answer. Not thread-safe but eviction_touch. */
#ifndef SERVER_EVICTION_H
#define SERVER_EVICTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum eviction_place { EVICTION_NOWHERE, EVICTION_BRIEF, EVICTION_SMALL, EVICTION_MAIN };

/* Part of what is kept; zeroed, then hash, bytes and cheap set by its owner. */
struct eviction_node {
    struct eviction_node *older, *newer;
    uint64_t hash;
    size_t bytes;
    _Atomic unsigned char touched; /* times asked for again, up to 3 */
    bool cheap;
    enum eviction_place place;
};

struct eviction_queue {
    struct eviction_node *oldest, *newest;
    uint64_t bytes;
    size_t count;
};

struct eviction {
    struct eviction_queue brief, small, main;
    uint64_t brief_bytes; /* beyond this who is in the brief queue leaves it */
    uint64_t small_bytes; /* beyond this the small queue gives first */
    uint64_t *ghosts;     /* hashes, each in the slot its bits choose */
    size_t ghost_mask;
};

/* false: out of memory. ghosts is a power of two: about as many as nodes fit. */
bool eviction_init(struct eviction *eviction, uint64_t max_bytes, size_t ghosts);
/* The budget is another: the brief and the small queue have their parts of that. */
void eviction_resize(struct eviction *eviction, uint64_t max_bytes);
void eviction_fini(struct eviction *eviction);
void eviction_add(struct eviction *eviction, struct eviction_node *node);
void eviction_remove(struct eviction *eviction, struct eviction_node *node);
/* It was asked for again. Any thread, as long as the node lives. */
void eviction_touch(struct eviction_node *node);
uint64_t eviction_bytes(const struct eviction *eviction); /* of all in its queues */
/* The one to go although there is room, taken out of its queue; NULL when there is none. */
struct eviction_node *eviction_overdue(struct eviction *eviction);
/* The one to go, taken out of its queue; NULL when there is none. */
struct eviction_node *eviction_victim(struct eviction *eviction);

#endif
