/* SPDX-License-Identifier: Apache-2.0
 * s3fifo.h - chooses the entries to evict from a byte budget: S3-FIFO (Yang et al., SOSP 2023).
 * A new entry enters a small queue and is evicted from it unless it is requested again; then it
 * moves to the main queue; a ghost table remembers recently evicted entries. So a scan of keys
 * that are requested once passes through the small queue, and the other entries stay.
 *
 * A short entry that is cheap to compute waits for its second request in a queue of its own,
 * the brief one, of a few MiB, and is evicted from it even if the budget is not used up: a scan
 * would spread over all the memory there is, and fetching that into the caches of the CPU takes
 * longer than computing the answer. Only s3fifo_touch is thread-safe. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum s3fifo_place { S3FIFO_NOWHERE, S3FIFO_BRIEF, S3FIFO_SMALL, S3FIFO_MAIN };

/* Part of each entry; its owner zeroes it, then sets hash, bytes and cheap. */
struct s3fifo_node {
    struct s3fifo_node *older, *newer;
    uint64_t hash;
    size_t bytes;
    _Atomic unsigned char touched; /* number of further requests, up to 3 */
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
    uint64_t brief_bytes; /* beyond this the brief queue evicts */
    uint64_t small_bytes; /* beyond this the small queue evicts before the main one */
    uint64_t *ghosts;     /* hashes of evicted nodes, each in the slot that its bits choose */
    size_t ghost_mask;
};

/* `ghosts` is a power of two, about the number of nodes that fit. False: out of memory. */
bool s3fifo_init(struct s3fifo *fifo, uint64_t max_bytes, size_t ghosts);
/* Changes the budget, of which the brief and the small queue have their parts. */
void s3fifo_resize(struct s3fifo *fifo, uint64_t max_bytes);
void s3fifo_fini(struct s3fifo *fifo);
void s3fifo_add(struct s3fifo *fifo, struct s3fifo_node *node);
void s3fifo_remove(struct s3fifo *fifo, struct s3fifo_node *node);
/* Returns whether a node with this hash was evicted lately or is remembered; s3fifo_remember
 * makes a hash one of those. */
bool s3fifo_remembers(const struct s3fifo *fifo, uint64_t hash);
void s3fifo_remember(struct s3fifo *fifo, uint64_t hash);
/* Counts a further request. Any thread may call it as long as the node exists. */
void s3fifo_touch(struct s3fifo_node *node);
uint64_t s3fifo_bytes(const struct s3fifo *fifo); /* bytes of all nodes */
/* Takes out a node to evict although the budget is not used up; NULL: there is none. */
struct s3fifo_node *s3fifo_overdue(struct s3fifo *fifo);
/* Takes out the next node to evict; NULL: there is none. */
struct s3fifo_node *s3fifo_victim(struct s3fifo *fifo);
