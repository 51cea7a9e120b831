/* SPDX-License-Identifier: Apache-2.0
 * tensor_layout.c - see tensor_layout.h. */
#include "proto/tensors/tensor_layout.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "proto/tensors/tensor.h"

_Static_assert((int)TENSOR_LAYOUT_RANK >= (int)PE_MAX_RANK, "core's tensors have a layout");

struct tensor_layout tensor_layout_of(const struct pe_tensor *info)
{
    struct tensor_layout layout = {.type = element_type_of(info->dtype), .rank = info->rank};

    memcpy(layout.dims, info->dims, sizeof info->dims);
    return layout;
}

bool tensor_layout_bytes(const struct tensor_layout *layout, uint64_t *bytes)
{
    uint64_t product = layout->type->size * layout->type->parts;

    assert(layout->rank <= TENSOR_LAYOUT_RANK);
    *bytes = 0;
    for (size_t i = 0; i < layout->rank; i++)
        if (layout->dims[i] == 0) /* no elements, however long the other axes are */
            return true;
    for (size_t i = 0; i < layout->rank; i++)
        if (__builtin_mul_overflow(product, layout->dims[i], &product))
            return false;
    *bytes = product;
    return product < SIZE_MAX / 2;
}

bool tensor_layout_info(const struct tensor_layout *layout, struct pe_tensor *info,
                        char why[TENSOR_LAYOUT_WHY_SIZE])
{
    const size_t part_axes = layout->type->parts > 1, most = PE_MAX_RANK - part_axes;
    size_t dropped = 0;

    if (layout->rank > TENSOR_LAYOUT_RANK) {
        snprintf(why, TENSOR_LAYOUT_WHY_SIZE, "shape must have at most %d axes; got %zu",
                 TENSOR_LAYOUT_RANK, layout->rank);
        return false;
    }
    while (layout->rank - dropped > most && layout->dims[dropped] == 1)
        dropped++;
    if (layout->rank - dropped > most) {
        snprintf(why, TENSOR_LAYOUT_WHY_SIZE,
                 "shape must have at most %zu axes behind leading ones of 1%s; got %zu", most,
                 part_axes > 0 ? ", as elements are complex" : "", layout->rank - dropped);
        return false;
    }
    *info = (struct pe_tensor){.dtype = layout->type->dtype, .rank = layout->rank - dropped};
    memcpy(info->dims, layout->dims + dropped, info->rank * sizeof *info->dims);
    if (part_axes > 0)
        info->dims[info->rank++] = layout->type->parts;
    return true;
}
