/* SPDX-License-Identifier: Apache-2.0
 * observe.h - what tensors say of angles: the cosine and the sine of each pair in a row of a
 * table, or by which a vector was turned. */
#pragma once

#include "core/verify/candidate.h"

/* One row, NAN where the tensors do not say it. */
struct observed {
    double *cosine, *sine;                 /* `pairs` each */
    struct row_buffer memory, row, vector; /* scratch, as wide as the widest tensor */
    size_t *order;                         /* pairs from the slowest to the fastest */
    size_t pairs;
};

/* False when out of memory. */
bool observe_init(struct observed *seen, const struct candidate *candidate);
void observe_fini(struct observed *seen);
/* Returns whether the candidate's numbers are those of positions times frequencies. */
bool observe_applies(const struct candidate *candidate);
/* Reads the row of the position number `place`; of the tensor that mistakes are about, where
 * the candidate names one. */
void observe(struct observed *seen, const struct candidate *candidate, uint64_t place);
/* Measures the frequency of one pair of cosines and sines, `pairs` to a row: on rows that
 * adjoin first, then on rows twice as far apart each time. Positions rise by `step`. */
double observe_frequency(const double *cosine, const double *sine, size_t pairs, size_t pair,
                         size_t rows, double step);
/* Measure the frequency of each pair on rows that adjoin, whose positions rise by the same
 * step: NAN where the tensors do not say it. False when out of memory, or if there are too few
 * rows. */
bool observe_frequencies(const struct candidate *candidate, struct row_buffer w);
