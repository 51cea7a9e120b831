/* SPDX-License-Identifier: Apache-2.0
 * s3fifo.c - three queues and a table of ghosts; see s3fifo.h. */
#include "server/cache/s3fifo.h"

#include <assert.h>
#include <stdlib.h>

enum {
    TOUCHED_MAX = 3,
    BRIEF_PART = 64,       /* the brief queue has this part of the budget */
    BRIEF_MANY = 8,        /* a brief node is at most this part of the brief queue */
    SMALL_PART = 10,       /* the small queue has a tenth of the budget */
    SECOND_CHANCES = 1024, /* in a row; then the oldest node is evicted */
};

bool s3fifo_init(struct s3fifo *fifo, uint64_t max_bytes, size_t ghosts)
{
    assert(ghosts > 0 && (ghosts & (ghosts - 1)) == 0);
    *fifo = (struct s3fifo){.ghost_mask = ghosts - 1};
    s3fifo_resize(fifo, max_bytes);
    fifo->ghosts = calloc(ghosts, sizeof *fifo->ghosts);
    return fifo->ghosts != NULL;
}

void s3fifo_resize(struct s3fifo *fifo, uint64_t max_bytes)
{
    fifo->brief_bytes = max_bytes / BRIEF_PART;
    fifo->small_bytes = max_bytes / SMALL_PART;
}

void s3fifo_fini(struct s3fifo *fifo)
{
    free(fifo->ghosts);
    fifo->ghosts = NULL;
}

static void append(struct s3fifo_queue *queue, struct s3fifo_node *node,
                   enum s3fifo_place place)
{
    node->place = place;
    node->newer = NULL;
    node->older = queue->newest;
    if (queue->newest)
        queue->newest->newer = node;
    else
        queue->oldest = node;
    queue->newest = node;
    queue->bytes += node->bytes;
    queue->count++;
}

static void detach(struct s3fifo_queue *queue, struct s3fifo_node *node)
{
    if (node->older)
        node->older->newer = node->newer;
    else
        queue->oldest = node->newer;
    if (node->newer)
        node->newer->older = node->older;
    else
        queue->newest = node->older;
    node->older = node->newer = NULL;
    node->place = S3FIFO_NOWHERE;
    queue->bytes -= node->bytes;
    queue->count--;
}

static struct s3fifo_queue *queue_of(struct s3fifo *fifo, const struct s3fifo_node *node)
{
    return node->place == S3FIFO_BRIEF   ? &fifo->brief
           : node->place == S3FIFO_SMALL ? &fifo->small
                                         : &fifo->main;
}

bool s3fifo_remembers(const struct s3fifo *fifo, uint64_t hash)
{
    return fifo->ghosts[hash & fifo->ghost_mask] == hash;
}

void s3fifo_remember(struct s3fifo *fifo, uint64_t hash)
{
    fifo->ghosts[hash & fifo->ghost_mask] = hash;
}

void s3fifo_add(struct s3fifo *fifo, struct s3fifo_node *node)
{
    uint64_t *ghost = &fifo->ghosts[node->hash & fifo->ghost_mask];

    assert(node->place == S3FIFO_NOWHERE);
    if (*ghost == node->hash) { /* it was evicted recently */
        *ghost = 0;
        append(&fifo->main, node, S3FIFO_MAIN);
    } else if (node->cheap && node->bytes <= fifo->brief_bytes / BRIEF_MANY) {
        append(&fifo->brief, node, S3FIFO_BRIEF);
    } else {
        append(&fifo->small, node, S3FIFO_SMALL);
    }
}

void s3fifo_remove(struct s3fifo *fifo, struct s3fifo_node *node)
{
    if (node->place != S3FIFO_NOWHERE)
        detach(queue_of(fifo, node), node);
}

uint64_t s3fifo_bytes(const struct s3fifo *fifo)
{
    return fifo->brief.bytes + fifo->small.bytes + fifo->main.bytes;
}

void s3fifo_touch(struct s3fifo_node *node)
{
    unsigned char touched = atomic_load_explicit(&node->touched, memory_order_relaxed);

    /* Lost updates are harmless; a popular entry is written to at most a few times. */
    if (touched < TOUCHED_MAX)
        atomic_store_explicit(&node->touched, (unsigned char)(touched + 1),
                              memory_order_relaxed);
}

struct s3fifo_node *s3fifo_overdue(struct s3fifo *fifo)
{
    while (fifo->brief.bytes > fifo->brief_bytes) {
        struct s3fifo_node *node = fifo->brief.oldest;

        detach(&fifo->brief, node);
        if (atomic_load_explicit(&node->touched, memory_order_relaxed) == 0) {
            s3fifo_remember(fifo, node->hash);
            return node;
        }
        atomic_store_explicit(&node->touched, 0, memory_order_relaxed);
        append(&fifo->main, node, S3FIFO_MAIN);
    }
    return NULL;
}

/* Returns the queue that the next victim is taken from. */
static struct s3fifo_queue *victim_queue(struct s3fifo *fifo)
{
    struct s3fifo_queue *small = &fifo->small, *main = &fifo->main;

    if (small->oldest && (small->bytes > fifo->small_bytes || !main->oldest))
        return small;
    return main->oldest ? main : &fifo->brief;
}

struct s3fifo_node *s3fifo_victim(struct s3fifo *fifo)
{
    for (int chances = 0;; chances++) {
        struct s3fifo_queue *queue = victim_queue(fifo);
        struct s3fifo_node *node = queue->oldest;
        bool from_main = queue == &fifo->main;
        unsigned char touched;

        if (!node)
            return NULL;
        touched = atomic_load_explicit(&node->touched, memory_order_relaxed);
        detach(queue, node);
        if (touched == 0 || chances >= SECOND_CHANCES) {
            if (!from_main)
                s3fifo_remember(fifo, node->hash);
            return node;
        }
        atomic_store_explicit(&node->touched,
                              from_main ? (unsigned char)(touched - 1) : (unsigned char)0,
                              memory_order_relaxed);
        append(&fifo->main, node, S3FIFO_MAIN);
    }
}
