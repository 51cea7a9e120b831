/* SPDX-License-Identifier: Apache-2.0
 * json_memory.c - an allocator that counts the bytes taken since json_memory_begin. */
#include "proto/text/json_memory.h"

#include <assert.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>

/* The counter is the thread's, because jansson's allocator has no argument for a context. */
static _Thread_local struct {
    bool counting;
    enum json_memory worst;
    size_t held, budget;
} meter;

/* The header in front of each block: the block's size with the header. */
union block {
    size_t size;
    max_align_t aligned;
};

static void *take(size_t size)
{
    if (size > SIZE_MAX - sizeof(union block))
        return NULL;
    size += sizeof(union block);
    if (meter.counting && size > meter.budget - meter.held) {
        meter.worst = JSON_MEMORY_OVER_BUDGET;
        return NULL;
    }
    union block *block = malloc(size);
    if (!block) {
        meter.worst = JSON_MEMORY_OUT;
        return NULL;
    }
    block->size = size;
    if (meter.counting)
        meter.held += size;
    return block + 1;
}

static void give_back(void *bytes)
{
    if (!bytes)
        return;
    union block *block = (union block *)bytes - 1;
    if (meter.counting) /* blocks from before json_memory_begin were not counted */
        meter.held -= block->size < meter.held ? block->size : meter.held;
    free(block);
}

void json_memory_init(void)
{
    json_set_alloc_funcs(take, give_back);
    json_object_seed(0);
}

void json_memory_begin(size_t budget)
{
    assert(!meter.counting);
    meter.counting = true;
    meter.worst = JSON_MEMORY_GIVEN;
    meter.held = 0;
    meter.budget = budget;
}

size_t json_memory_end(enum json_memory *worst)
{
    assert(meter.counting);
    meter.counting = false;
    *worst = meter.worst;
    return meter.held;
}
