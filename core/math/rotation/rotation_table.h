/* SPDX-License-Identifier: Apache-2.0
 * rotation_table.h - frequencies with the cosines and sines of the first positions: the part of
 * a rotation that does not depend on its positions, so that requests share it. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/encoding.h"
#include "core/math/trig/phase.h"

/* The cosines and sines of the positions 0, step, 2 * step ... */
struct rotation_fine {
    size_t rows;       /* a power of two, at most 256 */
    double *cos, *sin; /* [rows][pairs] */
};

/* Frequencies and, once a request was worth it, the fine rows of step 1. */
struct rotation_table {
    size_t pairs;
    struct phase_freq *freq; /* [pairs] */
    _Atomic(struct rotation_fine *) fine;
    atomic_uint
        asked;    /* positions of requests that would have used fine rows, and found none */
    size_t bytes; /* bytes of the allocation, without the fine rows */
};

struct frequency_ladder;

/* From this number of positions on, values are those that fine rows give, so that a table has
 * them. For fewer positions, values are those of direct evaluation, to the last bit, whether
 * fine rows are there or not (rotation_fast.c). */
enum { ROTATION_FINE_FROM = 512 };

/* Builds a table; returns NULL when out of memory. With with_fine it has fine rows too, as many
 * as fit in 2 MiB. */
struct rotation_table *rotation_table_new(const struct frequency_ladder *ladder,
                                          bool with_fine);
/* Writes the text that identifies the table, for a table_key hook. */
size_t rotation_table_key(const struct frequency_ladder *ladder, bool with_fine, char *text,
                          size_t size);
/* Builds a table of frequencies that `build` fills (false: out of memory). */
typedef bool rotation_frequencies(struct phase_freq *out, size_t pairs, const void *context);
struct rotation_table *rotation_table_of(size_t pairs, bool with_fine,
                                         rotation_frequencies *build, const void *context);
void rotation_table_free(void *table);

/* Returns the fine rows that the table has so far, or NULL. */
const struct rotation_fine *rotation_table_fine(const struct rotation_table *table);
/* Adds fine rows to a table, unless it has them, if a request that can use them for `positions`
 * positions (0: it cannot) makes it worth it; returns the bytes that were added, or SIZE_MAX if
 * memory ran out and they are needed. Threads may call this at the same time. */
size_t rotation_table_grow(struct rotation_table *table, uint64_t positions,
                           enum pe_growth growth);

/* Returns how many fine rows of so many pairs fit into the cache of a core. */
size_t rotation_fine_rows(size_t pairs);
/* Returns the bytes of fine rows, 0 if no memory can hold them. */
size_t rotation_fine_bytes(size_t rows, size_t pairs);
/* Makes fine rows in 64-byte aligned memory of rotation_fine_bytes. */
struct rotation_fine *rotation_fine_make(void *memory, const struct phase_freq *freq,
                                         size_t rows, size_t pairs, int64_t step);
