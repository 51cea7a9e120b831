/* SPDX-License-Identifier: Apache-2.0
 * view.h - a tensor that was sent, seen in the shape of an output: axes that were permuted,
 * reversed, repeated or left out are strides, so that a mistake of layout is undone without a
 * copy. */
#pragma once

#include "core/posenc_verify.h"
#include "core/verify/row_buffer.h"

/* Whether every slice of an axis is bit for bit the first one. */
enum view_slices { SLICES_UNKNOWN, SLICES_EQUAL, SLICES_DIFFER };

struct view {
    const unsigned char *data;
    enum pe_dtype dtype;
    enum pe_dtype precision; /* the narrowest dtype that holds every number: bfloat16's numbers
                              * are often sent as float32 */
    double least, most;      /* finite elements */
    bool nan, infinite;      /* an element is NaN, or infinite, */
    bool finite;             /* or neither */
    double lowest;           /* the lowest number of a dtype, as the tensor writes it */
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
    int64_t stride[PE_MAX_RANK];          /* elements; 0 repeats, a negative one reverses */
    enum view_slices slices[PE_MAX_RANK]; /* of each axis */
    double factor;                        /* every element is multiplied by it; 1 or -1 */
};

/* See the whole tensor as it is. */
struct view view_of(const struct pe_verify_tensor *tensor);
/* See the cosines (part 0) or the sines (part 1) of a tensor that has both in this form. */
struct view view_part(const struct view *view, enum pe_verify_form form, size_t part);
/* Reverse, or exchange, axes. */
void view_reverse(struct view *view, size_t axis);
void view_exchange(struct view *view, size_t axis, size_t other);

/* The last axis, 1 for a scalar, and the product of the others: 0 where rows have no elements,
 * as a plan has it. */
uint64_t view_cols(const struct view *view);
uint64_t view_rows(const struct view *view);
/* Reads a row, of the view's columns, as doubles. */
void view_row(const struct view *view, uint64_t row, struct row_buffer out);
/* Returns one element. */
double view_element(const struct view *view, uint64_t row, uint64_t col);
/* Reads the indices of an element in the order of the view's axes. */
void view_index(const struct view *view, uint64_t row, uint64_t col, uint64_t *index);
