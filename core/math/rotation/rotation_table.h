/* SPDX-License-Identifier: Apache-2.0
 * rotation_table.h - frequencies with the cosines and sines of the first positions: the part of
 * a rotation that does not depend on its positions, so that requests share it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/math/trig/phase.h"

/* Frequencies and, when fine_rows > 0, the rows of positions 0 .. fine_rows-1. */
struct rotation_table {
    size_t pairs, fine_rows;     /* fine_rows: 0 or a power of two, at most 256 */
    struct phase_freq *freq;     /* [pairs] */
    double *fine_cos, *fine_sin; /* [fine_rows][pairs], or NULL */
    size_t bytes;                /* bytes of the whole allocation */
};

struct frequency_ladder;

/* The number of rows from which a fine table pays; for fewer, pass with_fine = false. */
enum { ROTATION_FINE_FROM = 512 };

/* Build a table; return NULL when out of memory. With with_fine it has fine rows too, as many
 * as fit in 2 MiB. with_fine must follow from the request, and the table key must hold it. */
struct rotation_table *rotation_table_new(const struct frequency_ladder *ladder,
                                          bool with_fine);
/* Write the text that identifies the table, for a table_key hook. */
size_t rotation_table_key(const struct frequency_ladder *ladder, bool with_fine, char *text,
                          size_t size);
/* Build a table of frequencies that `build` fills (false: out of memory). */
typedef bool rotation_frequencies(struct phase_freq *out, size_t pairs, const void *context);
struct rotation_table *rotation_table_of(size_t pairs, bool with_fine,
                                         rotation_frequencies *build, const void *context);
void rotation_table_free(void *table);
