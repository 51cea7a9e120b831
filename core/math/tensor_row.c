/* SPDX-License-Identifier: Apache-2.0
 * tensor_row.c - see tensor_row.h. Only dtype.c switches over dtypes. */
#include "core/math/tensor_row.h"

#include <stdio.h>
#include <string.h>

enum { SHAPE_TEXT = PE_MAX_RANK * 24, COLUMN = 64 };

static size_t count_axes(const char *axes)
{
    size_t count = 1;

    for (const char *at = axes; *at; at++)
        count += *at == ',';
    return count;
}

static const char *print_shape(const struct pe_tensor *tensor, char text[SHAPE_TEXT])
{
    size_t len = 0;

    for (size_t i = 0; i < tensor->rank; i++)
        len += (size_t)snprintf(text + len, SHAPE_TEXT - len, "%s%llu", i ? "," : "",
                                (unsigned long long)tensor->dims[i]);
    return text;
}

enum pe_status tensor_row_check(const struct pe_tensor *tensor, const char *name,
                                const char *axes, struct pe_errors *errors)
{
    size_t rank = count_axes(axes);
    bool fits = tensor->rank == rank;
    char shape[SHAPE_TEXT] = "";

    for (size_t i = 0; fits && i < rank; i++)
        fits = tensor->dims[i] > 0;
    if (!fits)
        return pe_fail(errors, PE_CONFLICT, name,
                       "must have %zu %s, %s, none of them empty; got shape %s", rank,
                       rank == 1 ? "axis" : "axes", axes, print_shape(tensor, shape));
    if (tensor->dtype > PE_BF16)
        return pe_fail(errors, PE_CONFLICT, name,
                       "must hold reals, f64, f32, f16 or bf16; got %s",
                       pe_dtype_name(tensor->dtype));
    return PE_OK;
}

void tensor_row_widen(struct pe_tensor *tensor, size_t rank)
{
    while (tensor->rank > 0 && tensor->rank < rank) {
        memmove(tensor->dims + 1, tensor->dims, tensor->rank * sizeof tensor->dims[0]);
        tensor->dims[0] = 1;
        tensor->rank++;
    }
}

void tensor_row(const struct pe_tensor *tensor, const void *data, uint64_t row, uint64_t col,
                uint64_t cols, double *out)
{
    uint64_t width = tensor->dims[tensor->rank - 1];
    const char *from = (const char *)data + (row * width + col) * pe_dtype_size(tensor->dtype);

    pe_dtype_to_f64(tensor->dtype, out, from, cols);
}

void tensor_row_column(const struct pe_tensor *tensor, const void *data, uint64_t row,
                       uint64_t col, uint64_t rows, double *out)
{
    uint64_t width = tensor->dims[tensor->rank - 1];
    size_t size = pe_dtype_size(tensor->dtype);
    const char *from = (const char *)data + (row * width + col) * size;
    char beside[COLUMN * sizeof(double)];

    for (uint64_t done = 0, part; done < rows; done += part) {
        part = rows - done < COLUMN ? rows - done : COLUMN;
        for (uint64_t i = 0; i < part; i++, from += width * size)
            memcpy(beside + i * size, from, size);
        pe_dtype_to_f64(tensor->dtype, out + done, beside, part);
    }
}

double tensor_row_at(const struct pe_tensor *tensor, const void *data, uint64_t i)
{
    const char *from = (const char *)data + i * pe_dtype_size(tensor->dtype);
    double value;

    pe_dtype_to_f64(tensor->dtype, &value, from, 1);
    return value;
}
