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
    size_t count, room;
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
/* A [, a ], a number is due: NULL, or a sentence on what does not fit the rows before. */
const char *number_array_open(struct number_array *array);
const char *number_array_close(struct number_array *array);
const char *number_array_expect(struct number_array *array);
/* Where up to *room (wanted, then granted) numbers may be put; NULL when out of memory, and
 * *room is 0 at max_count. number_array_advance says how many came. */
double *number_array_reserve(struct number_store *store, size_t *room);
void number_array_advance(struct number_array *array, struct number_store *store, size_t count);
/* Numbers of the array so far. */
size_t number_array_count(const struct number_array *array, const struct number_store *store);

#endif
