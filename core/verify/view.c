/* SPDX-License-Identifier: Apache-2.0
 * view.c - reads a tensor, and its rows through strides. */
#include "core/verify/view.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Returns whether the dtype has all numbers of the tensor. */
static bool is_held(const struct pe_verify_tensor *tensor, uint64_t count, enum pe_dtype dtype)
{
    enum { BLOCK = 64 };
    const size_t size = pe_dtype_size(tensor->info.dtype);
    const unsigned char *data = tensor->data;
    double numbers[BLOCK], held[BLOCK];
    unsigned char narrow[8 * BLOCK];

    for (uint64_t i = 0; i < count; i += BLOCK) {
        size_t some = count - i < BLOCK ? (size_t)(count - i) : BLOCK;

        pe_dtype_to_f64(tensor->info.dtype, numbers, data + i * size, some);
        pe_dtype_from_f64(dtype, narrow, numbers, some);
        pe_dtype_to_f64(dtype, held, narrow, some);
        for (size_t j = 0; j < some; j++)
            if (numbers[j] != held[j])
                return false;
    }
    return true;
}

static enum pe_dtype precision_of(const struct pe_verify_tensor *tensor, uint64_t count)
{
    static const enum pe_dtype narrow[] = {PE_BF16, PE_F16, PE_F32};

    if (tensor->info.dtype != PE_F64 && tensor->info.dtype != PE_F32)
        return tensor->info.dtype;
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
        if (tensor->data && is_held(tensor, count, narrow[i]))
            return narrow[i];
    return tensor->info.dtype;
}

/* Finds the least and the largest finite element; both 0 if there is none. */
static void find_extremes(struct view *view, const struct pe_verify_tensor *tensor,
                          uint64_t count)
{
    enum { BLOCK = 64 };
    const size_t size = pe_dtype_size(tensor->info.dtype);
    const unsigned char *data = tensor->data;
    double numbers[BLOCK];

    for (uint64_t i = 0; data && i < count; i += BLOCK) {
        size_t some = count - i < BLOCK ? (size_t)(count - i) : BLOCK;

        pe_dtype_to_f64(tensor->info.dtype, numbers, data + i * size, some);
        for (size_t j = 0; j < some; j++) {
            view->nan = view->nan || isnan(numbers[j]);
            view->infinite = view->infinite || isinf(numbers[j]);
            if (!isfinite(numbers[j]))
                continue;
            view->least = view->finite ? fmin(view->least, numbers[j]) : numbers[j];
            view->most = view->finite ? fmax(view->most, numbers[j]) : numbers[j];
            view->finite = true;
        }
    }
}

/* Returns the tensor's least element where it is the lowest number of some dtype, if only to
 * the digits that a text has; else the lowest number of its own precision. */
static double lowest_of(const struct view *view)
{
    for (int dtype = PE_F64; dtype <= PE_BF16; dtype++)
        if (fabs(view->least / pe_dtype_lowest((enum pe_dtype)dtype) - 1) < 1e-6)
            return view->least;
    return pe_dtype_lowest(view->precision);
}

/* Finds which axes repeat. Slices are equal where each is the one before it, which is one
 * comparison of a block with itself a slice farther on. */
static void find_slices(struct view *view, uint64_t count)
{
    const size_t size = pe_dtype_size(view->dtype);

    for (size_t axis = 0; view->data && count > 0 && axis < view->rank; axis++) {
        const size_t slice = (size_t)view->stride[axis] * size;
        const size_t block = slice * (size_t)view->dims[axis];
        const unsigned char *at = view->data, *const end = at + count * size;

        while (at < end && memcmp(at, at + slice, block - slice) == 0)
            at += block;
        view->slices[axis] = at < end ? SLICES_DIFFER : SLICES_EQUAL;
    }
}

struct view view_of(const struct pe_verify_tensor *tensor)
{
    struct view view = {.data = tensor->data,
                        .dtype = tensor->info.dtype,
                        .rank = tensor->info.rank,
                        .factor = 1};
    int64_t stride = 1;

    assert(view.rank <= PE_MAX_RANK);
    for (size_t i = view.rank; i-- > 0;) {
        view.dims[i] = tensor->info.dims[i];
        view.stride[i] = stride;
        stride *= (int64_t)view.dims[i];
    }
    view.precision = precision_of(tensor, (uint64_t)stride);
    find_extremes(&view, tensor, (uint64_t)stride);
    view.lowest = lowest_of(&view);
    find_slices(&view, (uint64_t)stride);
    return view;
}

/* Returns the offset of an element, in elements. */
static int64_t offset_of(const struct view *view, uint64_t row, uint64_t col)
{
    uint64_t index[PE_MAX_RANK] = {0};
    int64_t at = 0;

    view_index(view, row, col, index);
    for (size_t i = 0; i < view->rank; i++)
        at += (int64_t)index[i] * view->stride[i];
    return at;
}

static double element(const struct view *view, int64_t at)
{
    double value;

    pe_dtype_to_f64(view->dtype, &value, view->data + at * (int64_t)pe_dtype_size(view->dtype),
                    1);
    return value;
}

/* How a form holds its parts: along which axis, whether it is an axis of 2, one that has the
 * parts one behind the other or one that has them by turns, and whether sines are first. */
static const struct {
    int axis; /* from the end where it is negative */
    bool halves, sin_first, woven;
} forms[] = {
    [PE_FORM_PARTS] = {-1, false, false, false},  [PE_FORM_PAIR] = {-2, false, false, false},
    [PE_FORM_STACK] = {0, false, false, false},   [PE_FORM_SIDE] = {-1, true, false, false},
    [PE_FORM_SIDE_SIN] = {-1, true, true, false}, [PE_FORM_ABOVE] = {0, true, false, false},
    [PE_FORM_ABOVE_SIN] = {0, true, true, false}, [PE_FORM_WOVEN] = {-1, false, false, true},
};

struct view view_part(const struct view *view, enum pe_verify_form form, size_t part)
{
    struct view seen = *view;
    const size_t axis = forms[form].axis < 0 ? (size_t)((int)seen.rank + forms[form].axis)
                                             : (size_t)forms[form].axis;
    const size_t number = forms[form].sin_first ? 1 - part : part;
    const uint64_t length = forms[form].halves ? seen.dims[axis] / 2 : 1;

    assert(form != PE_FORM_WHOLE && axis < seen.rank);
    if (seen.slices[axis] == SLICES_DIFFER)
        seen.slices[axis] = SLICES_UNKNOWN; /* of a part of them */
    seen.data +=
        (int64_t)(number * length) * seen.stride[axis] * (int64_t)pe_dtype_size(seen.dtype);
    if (forms[form].woven) {
        seen.dims[axis] /= 2;
        seen.stride[axis] *= 2;
        return seen;
    }
    if (forms[form].halves) {
        seen.dims[axis] = length;
        return seen;
    }
    for (size_t i = axis; i + 1 < seen.rank; i++) {
        seen.dims[i] = seen.dims[i + 1];
        seen.stride[i] = seen.stride[i + 1];
        seen.slices[i] = seen.slices[i + 1];
    }
    seen.rank--;
    return seen;
}

void view_reverse(struct view *view, size_t axis)
{
    if (view->dims[axis] == 0)
        return;
    view->data += (int64_t)(view->dims[axis] - 1) * view->stride[axis] *
                  (int64_t)pe_dtype_size(view->dtype);
    view->stride[axis] = -view->stride[axis];
}

void view_exchange(struct view *view, size_t axis, size_t other)
{
    const uint64_t dim = view->dims[axis];
    const int64_t stride = view->stride[axis];
    const enum view_slices slices = view->slices[axis];

    view->dims[axis] = view->dims[other];
    view->stride[axis] = view->stride[other];
    view->slices[axis] = view->slices[other];
    view->dims[other] = dim;
    view->stride[other] = stride;
    view->slices[other] = slices;
}

/* ---- elements ---------------------------------------------------------------------------- */

uint64_t view_cols(const struct view *view)
{
    return view->rank ? view->dims[view->rank - 1] : 1;
}

uint64_t view_rows(const struct view *view)
{
    const bool without_columns = view->rank > 1 && view->dims[view->rank - 1] == 0;
    uint64_t rows = without_columns ? 0 : 1;

    for (size_t i = 0; i + 1 < view->rank; i++)
        rows *= view->dims[i];
    return rows;
}

void view_index(const struct view *view, uint64_t row, uint64_t col, uint64_t *index)
{
    if (view->rank == 0)
        return;
    index[view->rank - 1] = col;
    for (size_t i = view->rank - 1; i-- > 0;) {
        index[i] = row % view->dims[i];
        row /= view->dims[i];
    }
}

void view_row(const struct view *view, uint64_t row, struct row_buffer out)
{
    const uint64_t cols = view_cols(view);
    const int64_t step = view->rank ? view->stride[view->rank - 1] : 1;

    assert(row < view_rows(view) && cols <= out.capacity);
    const int64_t at = offset_of(view, row, 0);
    if (step == 1)
        pe_dtype_to_f64(view->dtype, out.at,
                        view->data + at * (int64_t)pe_dtype_size(view->dtype), cols);
    else
        for (uint64_t i = 0; i < cols; i++)
            out.at[i] = element(view, at + (int64_t)i * step);
    if (view->factor != 1)
        for (uint64_t i = 0; i < cols; i++)
            out.at[i] *= view->factor;
}

double view_element(const struct view *view, uint64_t row, uint64_t col)
{
    assert(row < view_rows(view) && col < view_cols(view));
    return element(view, offset_of(view, row, col)) * view->factor;
}
