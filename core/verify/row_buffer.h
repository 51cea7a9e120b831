/* SPDX-License-Identifier: Apache-2.0
 * row_buffer.h - memory for the numbers of a row, and how many it holds. Every function that
 * writes a row of a view or of a candidate gets both, and asserts that the row fits. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct row_buffer {
    double *at; /* NULL: the numbers are not wanted, or there was no memory */
    size_t capacity;
};

/* Allocates a buffer of so many zeros, whose `at` the caller frees; without memory that is
 * NULL, and *failed becomes true. */
struct row_buffer row_buffer_new(size_t capacity, bool *failed);
/* Returns `capacity` numbers of a buffer, from number `first` on. */
struct row_buffer row_buffer_part(struct row_buffer whole, size_t first, size_t capacity);
