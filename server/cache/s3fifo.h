/* SPDX-License-Identifier: Apache-2.0
 * s3fifo.h - which entries stay within a byte budget: S3-FIFO (Yang et al., SOSP 2023).
 * A newcomer enters a small queue and leaves it unless it is asked for again; what was asked
 * for again lives in the main queue; a ghost table remembers who left lately. So a flood of
 * keys asked for once flows through the small queue and the rest stays.
 *
 * What is short and cheaply made again waits for its second request in a queue of its own, the
 * brief one, of a few MiB, and leaves it even where there is room: a flood of it would spread
 * over all the memory there is, and fetching that into the caches of the CPU takes longer than
 * making the answer. Not thread-safe but s3fifo_touch. */
#ifndef SERVER_S3FIFO_H
#define SERVER_S3FIFO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum s3fifo_place { S3FIFO_NOWHERE, S3FIFO_BRIEF, S3FIFO_SMALL, S3FIFO_MAIN };

/* Part of what is kept; zeroed, then hash, bytes and cheap set by its owner. */
struct s3fifo_node {
    struct s3fifo_node *older, *newer;
    uint64_t hash;
    size_t bytes;
    _Atomic unsigned char touched; /* times asked for again, up to 3 */
    bool cheap;
    enum s3fifo_place place;
};

struct s3fifo_queue {
    struct s3fifo_node *oldest, *newest;
    uint64_t bytes;
    size_t count;
};

struct s3fifo {
    struct s3fifo_queue brief, small, main;
    uint64_t brief_bytes; /* beyond this who is in the brief queue leaves it */
    uint64_t small_bytes; /* beyond this the small queue gives first */
    uint64_t *ghosts;     /* hashes, each in the slot its bits choose */
    size_t ghost_mask;
};

/* false: out of memory. ghosts is a power of two: about as many as nodes fit. */
bool s3fifo_init(struct s3fifo *eviction, uint64_t max_bytes, size_t ghosts);
/* The budget is another: the brief and the small queue have their parts of that. */
void s3fifo_resize(struct s3fifo *eviction, uint64_t max_bytes);
void s3fifo_fini(struct s3fifo *eviction);
void s3fifo_add(struct s3fifo *eviction, struct s3fifo_node *node);
void s3fifo_remove(struct s3fifo *eviction, struct s3fifo_node *node);
/* It was asked for again. Any thread, as long as the node lives. */
void s3fifo_touch(struct s3fifo_node *node);
uint64_t s3fifo_bytes(const struct s3fifo *eviction); /* of all in its queues */
/* The one to go although there is room, taken out of its queue; NULL when there is none. */
struct s3fifo_node *s3fifo_overdue(struct s3fifo *eviction);
/* The one to go, taken out of its queue; NULL when there is none. */
struct s3fifo_node *s3fifo_victim(struct s3fifo *eviction);

#endif
