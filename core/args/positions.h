/* SPDX-License-Identifier: Apache-2.0
 * positions.h - makes and prints lists of positions. Private to core; posenc.h has the readers
 * (pe_positions_*). */
#pragma once

#include "core/posenc.h"

/* The positions first, first + step, ..., `count` of them; step is 0 only when count is at most
 * 1. */
struct position_slice {
    double first;
    int64_t step;
    uint64_t count;
};

/* Makes a list from slices, or from values when slices is NULL, merged as canonical form
 * asks. Returns NULL when out of memory. The caller has checked that the total count is
 * below 2^62. */
struct pe_positions *positions_new(const struct position_slice *slices, const double *values,
                                   size_t count);
/* Copies a list; NULL when out of memory. */
struct pe_positions *positions_copy(const struct pe_positions *pos);
void positions_free(struct pe_positions *pos);

/* Parses the position grammar of posenc.h. On an error a problem named `parameter` says what to
 * write, and *pos is unchanged. fractions: real positions are allowed. */
enum pe_status positions_parse(struct pe_positions **pos, const char *parameter,
                               const char *text, size_t len, bool fractions,
                               struct pe_errors *errors);
/* Makes a list from an array of numbers, with errors as positions_parse has them. */
enum pe_status positions_from_array(struct pe_positions **pos, const char *parameter,
                                    const double *values, size_t count, bool fractions,
                                    struct pe_errors *errors);

/* Reads a list from its first position to its last: pe_positions_at of 0, 1, 2, ..., in a
 * constant time each. Begins with the list and zeros. */
struct positions_cursor {
    const struct pe_positions *pos; /* borrowed */
    size_t run;
    uint64_t next;
};
/* Returns the next position, of which there is one. */
double positions_next(struct positions_cursor *cursor);

/* Prints the canonical text ("0:128", "5,9,12", "0:0") as snprintf would: at most size bytes
 * are written with the NUL, the length of the whole text is returned. */
size_t positions_print(const struct pe_positions *pos, char *text, size_t size);
/* Returns the number of merged runs and the bytes that identify the list, which are borrowed:
 * lists with equal positions have equal bytes, other lists have other bytes. */
size_t positions_runs(const struct pe_positions *pos, const void **bits, size_t *bits_len);
