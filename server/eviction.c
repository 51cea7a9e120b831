/* SPDX-License-Identifier: Apache-2.0
 * eviction.c - two queues and a table of ghosts; see eviction.h. */
#include "server/eviction.h"

#include <assert.h>
#include <stdlib.h>

enum {
    TOUCHED_MAX = 3,
    SMALL_PART = 10,       /* the small queue has a tenth of the budget */
    SECOND_CHANCES = 1024, /* in a row; then the oldest goes whatever it was worth */
};

bool eviction_init(struct eviction *eviction, uint64_t max_bytes, size_t ghosts)
{
    assert(ghosts > 0 && (ghosts & (ghosts - 1)) == 0);
    *eviction = (struct eviction){.ghost_mask = ghosts - 1};
    eviction_resize(eviction, max_bytes);
    eviction->ghosts = calloc(ghosts, sizeof *eviction->ghosts);
    return eviction->ghosts != NULL;
}

void eviction_resize(struct eviction *eviction, uint64_t max_bytes)
{
    eviction->small_bytes = max_bytes / SMALL_PART;
}

void eviction_fini(struct eviction *eviction)
{
    free(eviction->ghosts);
    eviction->ghosts = NULL;
}

static void push(struct eviction_queue *queue, struct eviction_node *node,
                 enum eviction_place place)
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

static void take(struct eviction_queue *queue, struct eviction_node *node)
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
    node->place = EVICTION_NOWHERE;
    queue->bytes -= node->bytes;
    queue->count--;
}

void eviction_add(struct eviction *eviction, struct eviction_node *node)
{
    uint64_t *ghost = &eviction->ghosts[node->hash & eviction->ghost_mask];

    assert(node->place == EVICTION_NOWHERE);
    if (*ghost == node->hash) { /* it left lately and is back */
        *ghost = 0;
        push(&eviction->main, node, EVICTION_MAIN);
    } else {
        push(&eviction->small, node, EVICTION_SMALL);
    }
}

void eviction_remove(struct eviction *eviction, struct eviction_node *node)
{
    if (node->place == EVICTION_SMALL)
        take(&eviction->small, node);
    else if (node->place == EVICTION_MAIN)
        take(&eviction->main, node);
}

uint64_t eviction_bytes(const struct eviction *eviction)
{
    return eviction->small.bytes + eviction->main.bytes;
}

void eviction_touch(struct eviction_node *node)
{
    unsigned char touched = atomic_load_explicit(&node->touched, memory_order_relaxed);

    /* Lost updates are harmless; a hot entry is written to at most a few times. */
    if (touched < TOUCHED_MAX)
        atomic_store_explicit(&node->touched, (unsigned char)(touched + 1),
                              memory_order_relaxed);
}

struct eviction_node *eviction_victim(struct eviction *eviction)
{
    for (int chances = 0;; chances++) {
        struct eviction_queue *small = &eviction->small, *main = &eviction->main;
        bool from_small =
            small->oldest && (small->bytes > eviction->small_bytes || !main->oldest);
        struct eviction_node *node = from_small ? small->oldest : main->oldest;
        unsigned char touched;

        if (!node)
            return NULL;
        touched = atomic_load_explicit(&node->touched, memory_order_relaxed);
        take(from_small ? small : main, node);
        if (touched == 0 || chances >= SECOND_CHANCES) {
            if (from_small)
                eviction->ghosts[node->hash & eviction->ghost_mask] = node->hash;
            return node;
        }
        atomic_store_explicit(&node->touched,
                              from_small ? (unsigned char)0 : (unsigned char)(touched - 1),
                              memory_order_relaxed);
        push(main, node, EVICTION_MAIN);
    }
}
