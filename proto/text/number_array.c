/* SPDX-License-Identifier: Apache-2.0
 * number_array.c - compares rows with the first row of their axis; a store that doubles. */
#include "proto/text/number_array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

void number_array_begin(struct number_array *array, const struct number_store *store)
{
    *array = (struct number_array){.first = store->count};
}

const char *number_array_open(struct number_array *array)
{
    if (array->rank > 0 && array->level == array->rank)
        return "an array stands where the rows before have a number";
    if (array->level == PE_MAX_RANK)
        return "arrays of numbers nest at most 6 deep";
    array->counts[array->level++] = 0;
    return NULL;
}

const char *number_array_close(struct number_array *array)
{
    assert(array->level > 0);
    const size_t axis = --array->level;
    if (array->rank == 0)
        array->rank = axis + 1; /* the row is empty */
    if (array->known[axis] && array->dims[axis] != array->counts[axis])
        return array->counts[axis] < array->dims[axis]
                   ? "this row is shorter than the rows before it"
                   : "this row is longer than the rows before it";
    array->known[axis] = true;
    array->dims[axis] = array->counts[axis];
    if (axis > 0)
        array->counts[axis - 1]++;
    return NULL;
}

const char *number_array_expect(struct number_array *array)
{
    if (array->rank == 0)
        array->rank = array->level;
    return array->level == array->rank ? NULL
                                       : "a number stands where the rows before have an array";
}

/* Makes the rests, if there are any, as many as `size` values. */
static bool grow_rests(struct number_store *store, size_t size)
{
    int16_t *rests = store->rests;

    if (!rests)
        return true;
    rests = reallocarray(rests, size, sizeof *rests);
    store->failed = !rests;
    if (!rests)
        return false;
    memset(rests + store->capacity, 0, (size - store->capacity) * sizeof *rests);
    store->rests = rests;
    return true;
}

bool number_array_note(struct number_store *store, size_t index, int16_t rest)
{
    assert(index < store->capacity);
    if (!store->rests)
        store->rests = calloc(store->capacity, sizeof *store->rests);
    store->failed |= !store->rests;
    if (!store->rests)
        return false;
    store->rests[index] = rest;
    return true;
}

void number_array_drop(struct number_store *store, size_t first)
{
    assert(first <= store->count);
    if (store->rests)
        memset(store->rests + first, 0, (store->count - first) * sizeof *store->rests);
    store->count = first;
}

double *number_array_reserve(struct number_store *store, size_t *capacity)
{
    const size_t left = store->max_count - store->count;
    const size_t want = *capacity < left ? *capacity : left;

    *capacity = want;
    if (want > store->capacity - store->count) {
        size_t size = store->capacity > 0 ? store->capacity : FIRST_CAPACITY;

        while (size < store->count + want) /* at most max_count, so that nothing overflows */
            size *= 2;
        double *values = reallocarray(store->values, size, sizeof(*values));
        if (!values) {
            store->failed = true;
            return NULL;
        }
        store->values = values;
        if (!grow_rests(store, size))
            return NULL;
        store->capacity = size;
    }
    return store->values + store->count;
}

void number_array_advance(struct number_array *array, struct number_store *store, size_t count)
{
    assert(count <= store->capacity - store->count && array->level > 0);
    store->count += count;
    array->counts[array->level - 1] += count;
}

size_t number_array_count(const struct number_array *array, const struct number_store *store)
{
    return store->count - array->first;
}
