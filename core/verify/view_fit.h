/* SPDX-License-Identifier: Apache-2.0
 * view_fit.h - a tensor seen in the shape of an output. */
#pragma once

#include "core/verify/view.h"

/* How a tensor fits a shape. {0} knows no shape. */
struct view_fit {
    bool known, fits;
    size_t rank;
    uint64_t dims[PE_MAX_RANK];
    struct view view;         /* valid if it fits; */
    char how[PE_VERIFY_TEXT]; /* as `fits` of view_fit */
};

/* See the tensor in another shape: equal after axes of 1 are dropped; a flattened tensor; equal
 * batches, whose first is seen; one row for many. Return false if it has none of these; else
 * say which in `fits` (PE_VERIFY_TEXT bytes; "" where the shapes are equal). */
bool view_fit(struct view *view, const uint64_t *dims, size_t rank, char *fits);
/* See a tensor whose first axis, after axes of 1, holds the columns, and whose others are the
 * rows: [dim, pos], or the map [batch, dim, height, width] of a picture. Return false if it is
 * none. */
bool view_fit_columns_first(struct view *view, uint64_t rows, uint64_t cols);
/* See the whole tensor so, and remember it: looking for equal rows takes as long as the tensor
 * is, and most hypotheses have the same shape. */
bool view_fit_known(struct view_fit *known, const struct view *whole, const uint64_t *dims,
                    size_t rank);
