/* SPDX-License-Identifier: Apache-2.0
 * positions.h - position lists as core makes and prints them. Private to core; the readers
 * (pe_positions_*) are in posenc.h. */
#ifndef PE_POSITIONS_H
#define PE_POSITIONS_H

#include "core/posenc.h"

/* Positions first, first + step, ... (count of them); step 0 only with count <= 1. */
struct position_slice {
    double first;
    int64_t step;
    uint64_t count;
};

/* Made from slices, or from values when slices is NULL; merged as canonical form merges.
 * NULL when out of memory. Total count below 2^62: the caller has checked. */
struct pe_positions *positions_new(const struct position_slice *slices, const double *values,
                                   size_t count);
void positions_free(struct pe_positions *pos);

/* The position grammar. On an error a problem for `parameter` says what to write, *pos is
 * untouched. fractions: real positions are allowed. */
enum pe_status positions_parse(struct pe_positions **pos, const char *parameter,
                               const char *text, size_t len, bool fractions,
                               struct pe_errors *errors);
/* A list of numbers (a JSON array). */
enum pe_status positions_from_array(struct pe_positions **pos, const char *parameter,
                                    const double *values, size_t count, bool fractions,
                                    struct pe_errors *errors);

/* Canonical text ("0:128", "5,9,12", "0:0"), as snprintf: writes at most size bytes with
 * the NUL, returns the length the whole text has. */
size_t positions_print(const struct pe_positions *pos, char *text, size_t size);
/* The merged runs, which are the same for the same list however it was written, and differ for
 * lists that differ: how many, and their bytes with where the last run ends, borrowed. */
size_t positions_runs(const struct pe_positions *pos, const void **bits, size_t *bits_len);

#endif
