/* SPDX-License-Identifier: Apache-2.0
 * number_array.h - the numbers of a document's arrays in one store, and the shape of the array
 * that is being read, whose rows must have one length. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct number_store {
    double *values;
    int16_t *rests; /* what each value lacks to the number of the document (json_whole.h), 0
                     * for all that are not noted; NULL: none was noted */
    size_t count, capacity;
    size_t max_count;
    bool failed; /* out of memory */
};

/* An array that is being read; it nests at most PE_MAX_RANK deep. */
struct number_array {
    size_t first; /* index of its first number in the store */
    size_t level; /* open brackets; 0: the array is complete */
    size_t rank;  /* 0 until the first number or empty row */
    uint64_t counts[PE_MAX_RANK];
    uint64_t dims[PE_MAX_RANK];
    bool known[PE_MAX_RANK]; /* dims[i] is decided */
};

/* Begins an array behind the numbers in the store; number_array_open opens its own [ next. */
void number_array_begin(struct number_array *array, const struct number_store *store);
/* Say that the next byte is a [, a ], or begins a number. Return NULL, or a sentence on what
 * does not fit the rows before. */
const char *number_array_open(struct number_array *array);
const char *number_array_close(struct number_array *array);
const char *number_array_expect(struct number_array *array);
/* Reserves memory for *capacity numbers, and sets *capacity to the number granted, 0 at
 * max_count; NULL when out of memory. number_array_advance says how many were written. */
double *number_array_reserve(struct number_store *store, size_t *capacity);
void number_array_advance(struct number_array *array, struct number_store *store, size_t count);
/* Notes a rest; false: out of memory. Forgets the numbers from an index on. */
bool number_array_note(struct number_store *store, size_t index, int16_t rest);
void number_array_drop(struct number_store *store, size_t first);
/* Returns the number of the array's numbers so far. */
size_t number_array_count(const struct number_array *array, const struct number_store *store);
