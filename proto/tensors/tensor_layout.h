/* SPDX-License-Identifier: Apache-2.0
 * tensor_layout.h - a tensor as a body describes it, and as it is in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/tensors/element_type.h"

enum { TENSOR_LAYOUT_RANK = 8, TENSOR_LAYOUT_WHY_SIZE = 120 };

struct tensor_layout {
    const struct element_type *type;
    bool big_endian;
    bool fortran; /* the first axis is the fastest */
    size_t rank;  /* axes beyond TENSOR_LAYOUT_RANK are counted, not kept */
    uint64_t dims[TENSOR_LAYOUT_RANK];
};

/* Returns the layout of elements that are the same in the body and in memory. */
struct tensor_layout tensor_layout_of(const struct pe_tensor *info);
/* Computes the bytes of the elements in the body; false if they do not fit 64 bits. */
bool tensor_layout_bytes(const struct tensor_layout *layout, uint64_t *bytes);
/* Describes the tensor in memory: leading axes of 1 are dropped where there are more axes than
 * core has, and the parts of complex elements are a last axis of 2. Returns false and writes
 * the reason to `why` if there are too many axes. */
bool tensor_layout_info(const struct tensor_layout *layout, struct pe_tensor *info,
                        char why[TENSOR_LAYOUT_WHY_SIZE]);
