/* SPDX-License-Identifier: Apache-2.0
 * tensor_fill.c - elements that are the same in memory are copied; others are converted in runs
 * along the fastest axis of the body, so that no second copy of a tensor is needed. */
#include "proto/tensors/tensor_fill.h"

#include <assert.h>
#include <string.h>

enum { PAGE = 4096 }; /* an upper bound of what a part in Fortran order makes resident */

/* Lists the axes of a tensor in Fortran order: the parts of an element, then the first axis. */
static void list_axes(struct tensor_fill *fill, const struct tensor_layout *layout)
{
    uint64_t stride = layout->type->parts;

    fill->rank = layout->rank + 1;
    fill->axes[0] = (struct tensor_fill_axis){.dim = layout->type->parts, .stride = 1};
    for (size_t i = layout->rank; i > 0; i--) {
        fill->axes[i] = (struct tensor_fill_axis){.dim = layout->dims[i - 1], .stride = stride};
        stride *= layout->dims[i - 1];
    }
    if (layout->type->parts == 1) { /* runs are longer without an axis of one part */
        fill->rank--;
        memmove(fill->axes, fill->axes + 1, fill->rank * sizeof *fill->axes);
    }
}

void tensor_fill_begin(struct tensor_fill *fill, const struct tensor_layout *layout, void *data)
{
    const struct element_type *type = layout->type;
    const bool fortran = layout->fortran && layout->rank > 1;

    *fill = (struct tensor_fill){.type = type,
                                 .big_endian = layout->big_endian && type->size > 1,
                                 .data = data};
    (void)tensor_layout_bytes(layout, &fill->left); /* the tensor is allocated: it has a size */
    fill->plain = type->keep == ELEMENT_SAME && !fill->big_endian && !fortran;
    if (fortran && fill->left > 0) {
        list_axes(fill, layout);
    } else {
        fill->rank = 1;
        fill->axes[0] = (struct tensor_fill_axis){.dim = fill->left / type->size, .stride = 1};
    }
}

uint64_t tensor_fill_touches(const struct tensor_fill *fill, size_t len)
{
    const uint64_t parts = (fill->cut_len + len) / fill->type->size;

    if (fill->plain)
        return len;
    return parts * (fill->rank > 1 ? (uint64_t)PAGE : pe_dtype_size(fill->type->dtype));
}

/* Goes on behind a run along the first axis, which has not passed its end. */
static void advance(struct tensor_fill *fill, uint64_t parts)
{
    struct tensor_fill_axis *axis = fill->axes;

    axis->index += parts;
    fill->place += parts * axis->stride;
    for (size_t i = 1; i < fill->rank && axis->index == axis->dim; i++) {
        fill->place -= axis->dim * axis->stride;
        axis->index = 0;
        axis++;
        axis->index++;
        fill->place += axis->stride;
    }
}

/* Converts whole parts. */
static bool convert(struct tensor_fill *fill, const unsigned char *bytes, size_t parts)
{
    const struct tensor_fill_axis *axis = fill->axes;
    const size_t size = pe_dtype_size(fill->type->dtype);

    while (parts > 0) {
        const uint64_t left = axis->dim - axis->index;
        const size_t run = parts < left ? parts : (size_t)left;

        if (!element_type_read(fill->type, fill->big_endian, fill->data + fill->place * size,
                               (size_t)axis->stride, bytes, run))
            return false;
        advance(fill, run);
        bytes += run * fill->type->size;
        parts -= run;
    }
    return true;
}

/* Converts the bytes of a part that an earlier piece began; *used of them are needed. */
static bool convert_cut(struct tensor_fill *fill, const char *bytes, size_t len, size_t *used)
{
    const size_t missing = fill->type->size - fill->cut_len;

    *used = len < missing ? len : missing;
    memcpy(fill->cut + fill->cut_len, bytes, *used);
    fill->cut_len += *used;
    if (fill->cut_len < fill->type->size)
        return true;
    fill->cut_len = 0;
    return convert(fill, fill->cut, 1);
}

bool tensor_fill_add(struct tensor_fill *fill, const char *bytes, size_t len)
{
    size_t used = 0, whole;

    assert(len <= fill->left);
    fill->left -= len;
    if (fill->plain) {
        memcpy(fill->data + fill->place, bytes, len); /* here the place is in bytes */
        fill->place += len;
        return true;
    }
    if (fill->cut_len > 0 && !convert_cut(fill, bytes, len, &used))
        return false;
    whole = (len - used) / fill->type->size;
    if (!convert(fill, (const unsigned char *)bytes + used, whole))
        return false;
    used += whole * fill->type->size;
    memcpy(fill->cut + fill->cut_len, bytes + used, len - used);
    fill->cut_len += len - used;
    return true;
}
