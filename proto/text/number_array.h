/* SPDX-License-Identifier: Apache-2.0
 * number_array.h - the numbers of a document's arrays in one store, and the shape of the one
 * that is being read: every row as long as the first. */
#ifndef PROTO_TEXT_NUMBER_ARRAY_H
#define PROTO_TEXT_NUMBER_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"

struct number_store {
    double *values;
    size_t count, capacity;
    size_t max_count;
    bool failed; /* out of memory */
};

/* An array that is being read; nested at most PE_MAX_RANK deep. */
struct number_array {
    size_t first; /* its first number in the store */
    size_t level; /* brackets open; 0: complete */
    size_t rank;  /* 0 until the first number or empty row tells */
    uint64_t counts[PE_MAX_RANK];
    uint64_t dims[PE_MAX_RANK];
    bool known[PE_MAX_RANK]; /* dims[i] is decided */
};

/* An array begins behind what the store holds; its own [ is still to be opened. */
void number_array_begin(struct number_array *array, const struct number_store *store);
/* The next byte is a [, a ] or begins a number: NULL, or a sentence on what does not fit the
 * rows before. */
const char *number_array_open(struct number_array *array);
const char *number_array_close(struct number_array *array);
const char *number_array_expect(struct number_array *array);
/* Reserves memory for up to *capacity numbers (wanted, then granted); NULL when out of memory,
 * and *capacity is 0 at max_count. number_array_advance tells how many were written. */
double *number_array_reserve(struct number_store *store, size_t *capacity);
void number_array_advance(struct number_array *array, struct number_store *store, size_t count);
/* The numbers of the array so far. */
size_t number_array_count(const struct number_array *array, const struct number_store *store);

#endif
