/* SPDX-License-Identifier: Apache-2.0
 * convolution.h - vectors plus a convolution of themselves around each position, in groups of
 * channels, after an activation. */
#pragma once

#include "core/encoding.h"

enum { CONVOLUTION_X, CONVOLUTION_WEIGHT, CONVOLUTION_BIAS }; /* inputs of the filler */

struct convolution {
    const struct pe_tensor *x, *bias;
    bool gelu;
    uint64_t height, width;    /* sides of the grid of positions */
    uint64_t rows, cols, taps; /* sides of the kernel, and their product */
    uint64_t channels;         /* channels of a group */
    struct pe_tensor weight;   /* weights as rows, one an output channel */
};

/* Fills the vectors of `x` plus their convolution; its state is a struct convolution. */
extern const struct pe_filler convolution_filler;
