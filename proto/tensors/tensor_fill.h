/* SPDX-License-Identifier: Apache-2.0
 * tensor_fill.h - the filling of a tensor in memory, native and in C order, from its bytes in a
 * body, which arrive in pieces of any length. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/tensors/tensor_layout.h"

/* An axis that the body runs through, the fastest first. */
struct tensor_fill_axis {
    uint64_t dim, index, stride; /* stride: in parts in memory */
};

struct tensor_fill {
    const struct element_type *type;
    bool big_endian, plain; /* plain: bytes are copied as they are */
    unsigned char *data;
    uint64_t left;        /* bytes of the tensor in the body that have not come */
    uint64_t place;       /* in memory, in parts, of the next part */
    unsigned char cut[8]; /* a part whose bytes did not all come yet */
    size_t cut_len, rank;
    struct tensor_fill_axis axes[TENSOR_LAYOUT_RANK + 1];
};

/* Begins to fill `data`, which has space for the tensor of the layout (tensor_layout_info). */
void tensor_fill_begin(struct tensor_fill *fill, const struct tensor_layout *layout,
                       void *data);
/* Returns the most bytes of memory that the next `len` bytes of the body make resident. */
uint64_t tensor_fill_touches(const struct tensor_fill *fill, size_t len);
/* Fills in the next bytes, len <= fill->left. Returns false at a number that is too large
 * (element_type_read). */
bool tensor_fill_add(struct tensor_fill *fill, const char *bytes, size_t len);
