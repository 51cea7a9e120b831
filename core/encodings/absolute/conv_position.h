/* SPDX-License-Identifier: Apache-2.0
 * conv_position.h - arguments of conv-position, for the two files that make it up. */
#ifndef PE_ENCODINGS_CONV_POSITION_H
#define PE_ENCODINGS_CONV_POSITION_H

#include "core/encoding.h"

enum { CONV_POSITION_GELU, CONV_POSITION_NONE };

enum {
    CONV_POSITION_TAPS = 1 << 16,  /* most taps of a kernel */
    CONV_POSITION_WINDOW = 1 << 20 /* most taps times channels of a group */
};

struct conv_position {
    struct pe_tensor x, weight, bias; /* inputs, in this order */
    struct pe_grid grid;
    int64_t groups;
    int activation;
};

/* The state of conv_position_filler. */
struct convolution {
    const struct pe_tensor *x, *bias;
    bool gelu;
    uint64_t height, width;    /* sides of the grid of positions */
    uint64_t rows, cols, taps; /* sides of the kernel, and their product */
    uint64_t channels;         /* channels of a group */
    struct pe_tensor weight;   /* weights as rows, one an output channel */
};

extern const struct pe_filler conv_position_filler;

#endif
