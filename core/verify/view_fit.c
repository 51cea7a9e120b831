/* SPDX-License-Identifier: Apache-2.0
 * view_fit.c - fits a tensor to a shape by axes that are dropped, joined or repeated. */
#include "core/verify/view_fit.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void drop_axis(struct view *view, size_t axis)
{
    assert(axis < view->rank);
    for (size_t i = axis; i + 1 < view->rank; i++) {
        view->dims[i] = view->dims[i + 1];
        view->stride[i] = view->stride[i + 1];
        view->slices[i] = view->slices[i + 1];
    }
    view->rank--;
}

static void insert_axis(struct view *view, size_t axis, uint64_t dim, int64_t stride)
{
    assert(axis <= view->rank && view->rank < PE_MAX_RANK);
    for (size_t i = view->rank; i > axis; i--) {
        view->dims[i] = view->dims[i - 1];
        view->stride[i] = view->stride[i - 1];
        view->slices[i] = view->slices[i - 1];
    }
    view->dims[axis] = dim;
    view->stride[axis] = stride;
    view->slices[axis] = SLICES_EQUAL;
    view->rank++;
}

static bool is_contiguous(const struct view *view)
{
    int64_t stride = 1;

    for (size_t i = view->rank; i-- > 0; stride *= (int64_t)view->dims[i])
        if (view->dims[i] != 1 && view->stride[i] != stride)
            return false;
    return true;
}

static uint64_t count_of(const uint64_t *dims, size_t rank)
{
    uint64_t count = 1;

    for (size_t i = 0; i < rank; i++)
        count *= dims[i];
    return count;
}

/* Returns whether every slice along the axis is bit for bit the first one. Of a whole tensor
 * it is known: a search without a claim asks for thousands of shapes. */
static bool is_constant(const struct view *view, size_t axis)
{
    const size_t size = pe_dtype_size(view->dtype);
    struct view first = *view;
    uint64_t index[PE_MAX_RANK] = {0}, rows, cols;

    if (view->dims[axis] <= 1)
        return true; /* there is nothing to compare, of however many elements */
    if (view->slices[axis] != SLICES_UNKNOWN)
        return view->slices[axis] == SLICES_EQUAL;
    drop_axis(&first, axis);
    rows = view_rows(&first);
    cols = view_cols(&first);
    for (uint64_t i = 0; i < rows * cols; i++) {
        int64_t at = 0;

        view_index(&first, i / cols, i % cols, index);
        for (size_t j = 0; j < first.rank; j++)
            at += (int64_t)index[j] * first.stride[j];
        for (uint64_t j = 1; j < view->dims[axis]; j++)
            if (memcmp(view->data + at * (int64_t)size,
                       view->data + (at + (int64_t)j * view->stride[axis]) * (int64_t)size,
                       size) != 0)
                return false;
    }
    return true;
}

static bool is_shape(const struct view *view, const uint64_t *dims, size_t rank)
{
    return view->rank == rank && memcmp(view->dims, dims, rank * sizeof *dims) == 0;
}

/* Returns the axis of the tensor that is left over where its other axes are those of the shape,
 * from the first on; SIZE_MAX if there is no such axis. */
static size_t extra_axis(const struct view *view, const uint64_t *dims, size_t rank)
{
    for (size_t axis = 0; view->rank == rank + 1 && axis < view->rank; axis++) {
        struct view rest = *view;

        drop_axis(&rest, axis);
        if (is_shape(&rest, dims, rank))
            return axis;
    }
    return SIZE_MAX;
}

static void squeeze(struct view *view)
{
    for (size_t i = view->rank; i-- > 0;)
        if (view->dims[i] == 1)
            drop_axis(view, i);
}

/* Gives a squeezed view the axes of 1 that the shape has. */
static bool unsqueeze(struct view *view, const uint64_t *dims, size_t rank)
{
    size_t more = 0;

    for (size_t i = 0; i < rank; i++)
        more += dims[i] == 1;
    if (view->rank + more != rank)
        return false;
    for (size_t i = 0; i < rank; i++)
        if (dims[i] == 1)
            insert_axis(view, i < view->rank ? i : view->rank, 1, 0);
    return is_shape(view, dims, rank);
}

/* See one row for many: an axis of 1 is repeated as often as the shape says. */
static bool repeat(struct view *view, const uint64_t *dims, size_t rank)
{
    bool repeats = false;

    for (size_t i = 0; view->rank == rank && i < rank; i++) {
        if (view->dims[i] == dims[i])
            continue;
        if (view->dims[i] != 1)
            return false;
        view->dims[i] = dims[i];
        view->stride[i] = 0;
        view->slices[i] = SLICES_EQUAL;
        repeats = true;
    }
    return repeats;
}

/* Returns whether one shape has axes of the other joined to one. */
static bool is_joined(const struct view *view, const uint64_t *dims, size_t rank)
{
    return view->rank == 1 || rank == 1 ||
           (view->rank != rank && rank > 0 && view->dims[view->rank - 1] == dims[rank - 1]);
}

/* See leading axes as one, where their elements follow on each other: the sequences of a batch
 * are rows one after the other. */
static bool join_leading(struct view *view, const uint64_t *dims, size_t rank)
{
    while (view->rank > rank && view->stride[0] == view->stride[1] * (int64_t)view->dims[1]) {
        const uint64_t first = view->dims[0];

        drop_axis(view, 0);
        view->dims[0] *= first;
        view->slices[0] = SLICES_UNKNOWN;
    }
    return is_shape(view, dims, rank);
}

/* Drops leading axes along which the tensor repeats, until it has no more axes than the
 * shape. */
static void drop_leading(struct view *view, size_t rank)
{
    while (view->rank > rank && is_constant(view, 0))
        drop_axis(view, 0);
}

/* See a tensor that lacks one axis as the same along it. */
static bool repeat_missing(struct view *view, const uint64_t *dims, size_t rank)
{
    if (view->rank + 1 != rank)
        return false;
    for (size_t axis = 0; axis < rank; axis++) {
        struct view seen = *view;

        insert_axis(&seen, axis, dims[axis], 0);
        if (!is_shape(&seen, dims, rank))
            continue;
        *view = seen;
        return true;
    }
    return false;
}

/* Drops leading axes along which the tensor repeats, then any one axis. */
static bool drop_batches(struct view *view, const uint64_t *dims, size_t rank)
{
    while (view->rank > rank + 1 && is_constant(view, 0))
        drop_axis(view, 0);
    size_t axis = extra_axis(view, dims, rank);
    if (axis == SIZE_MAX || !is_constant(view, axis))
        return false;
    drop_axis(view, axis);
    return true;
}

/* See one of many equal rows: the shape has an axis of 1 where the tensor has more. Columns
 * are no rows: a table of more frequencies is another table, also where all are 1. */
static bool drop_equal_rows(struct view *view, const uint64_t *dims, size_t rank)
{
    bool dropped = false;

    for (size_t i = 0; view->rank == rank && i < rank; i++) {
        if (view->dims[i] == dims[i])
            continue;
        if (dims[i] != 1 || i + 1 == rank || !is_constant(view, i))
            return false;
        view->dims[i] = 1;
        dropped = true;
    }
    return dropped;
}

bool view_fit(struct view *view, const uint64_t *dims, size_t rank, char *fits)
{
    struct view seen = *view;
    const char *how = "";

    if (is_shape(view, dims, rank)) {
        fits[0] = '\0';
        return true;
    }
    if (count_of(view->dims, view->rank) == 0 || count_of(dims, rank) == 0)
        return false;
    squeeze(&seen);
    if (unsqueeze(&seen, dims, rank)) {
        how = "axes of 1";
    } else if (seen = *view, drop_leading(&seen, rank), is_shape(&seen, dims, rank)) {
        how = "equal batches";
    } else if ((seen = *view, drop_leading(&seen, rank), repeat(&seen, dims, rank)) ||
               (seen = *view, repeat(&seen, dims, rank)) ||
               (seen = *view, repeat_missing(&seen, dims, rank))) {
        how = "one row for many";
    } else if (seen = *view, drop_equal_rows(&seen, dims, rank)) {
        how = "equal rows";
    } else if (seen = *view, squeeze(&seen), drop_batches(&seen, dims, rank)) {
        how = "equal batches";
    } else if (seen = *view, squeeze(&seen), rank > 1 && join_leading(&seen, dims, rank)) {
        how = "axes joined";
    } else if (count_of(view->dims, view->rank) == count_of(dims, rank) &&
               is_joined(view, dims, rank) && is_contiguous(view)) {
        struct pe_verify_tensor flat = {.info = {.dtype = view->dtype, .rank = rank}};

        memcpy(flat.info.dims, dims, rank * sizeof *dims);
        seen = view_of(&flat);
        seen.data = view->data;
        seen.precision = view->precision;
        how = view->rank == 1 || rank == 1 ? "flattened" : "axes joined";
    } else {
        return false;
    }
    seen.factor = view->factor;
    snprintf(fits, PE_VERIFY_TEXT, "%s", how);
    *view = seen;
    return true;
}

bool view_fit_columns_first(struct view *view, uint64_t rows, uint64_t cols)
{
    struct view seen = *view;

    squeeze(&seen);
    if (seen.rank < 2 || seen.dims[0] != cols || count_of(seen.dims + 1, seen.rank - 1) != rows)
        return false;
    for (size_t axis = seen.rank - 1; axis > 1; axis--) {
        if (seen.stride[axis - 1] != seen.stride[axis] * (int64_t)seen.dims[axis])
            return false;
        seen.dims[axis - 1] *= seen.dims[axis];
        seen.stride[axis - 1] = seen.stride[axis];
        seen.slices[axis - 1] = SLICES_UNKNOWN;
    }
    seen.rank = 2;
    view_exchange(&seen, 0, 1);
    *view = seen;
    return true;
}

bool view_fit_known(struct view_fit *known, const struct view *whole, const uint64_t *dims,
                    size_t rank)
{
    if (known->known && known->rank == rank &&
        memcmp(known->dims, dims, rank * sizeof *dims) == 0)
        return known->fits;
    known->known = true;
    known->rank = rank;
    memcpy(known->dims, dims, rank * sizeof *dims);
    known->view = *whole;
    known->fits = view_fit(&known->view, dims, rank, known->how);
    return known->fits;
}
