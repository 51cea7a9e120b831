/* SPDX-License-Identifier: Apache-2.0
 * json_memory.c - an allocator that counts what the calling thread took since begin. */
#include "proto/text/json_memory.h"

#include <assert.h>
#include <jansson.h>
#include <malloc.h>
#include <stdlib.h>

/* jansson's allocator has no argument for a context, so it must be the thread's. */
static _Thread_local struct {
    bool counting, refused;
    size_t held, budget;
} meter;

static void *take(size_t size)
{
    if (meter.counting && size > meter.budget - meter.held) {
        meter.refused = true;
        return NULL;
    }
    void *block = malloc(size);
    if (meter.counting && block != NULL) {
        const size_t held = meter.held + malloc_usable_size(block);
        meter.held = held < meter.budget ? held : meter.budget;
    }
    return block;
}

static void give_back(void *block)
{
    if (meter.counting && block != NULL) {
        const size_t size = malloc_usable_size(block);
        meter.held -= size < meter.held ? size : meter.held;
    }
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
    meter.refused = false;
    meter.held = 0;
    meter.budget = budget;
}

size_t json_memory_end(bool *refused)
{
    assert(meter.counting);
    meter.counting = false;
    *refused = meter.refused;
    return meter.held;
}
