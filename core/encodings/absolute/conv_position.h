/* SPDX-License-Identifier: Apache-2.0
 * conv_position.h - arguments of conv-position, for the two files that make it up. */
#ifndef PE_ENCODINGS_CONV_POSITION_H
#define PE_ENCODINGS_CONV_POSITION_H

#include "core/encoding.h"

enum { CONV_POSITION_GELU, CONV_POSITION_NONE };

enum {
    CONV_POSITION_TAPS = 1 << 16,  /* of a kernel, at most, and */
    CONV_POSITION_WINDOW = 1 << 20 /* of all channels of a group */
};

struct conv_position {
    struct pe_tensor x, weight, bias; /* and the order of a filler's inputs */
    struct pe_grid grid;
    int64_t groups;
    int activation;
};

/* The state of its filler. */
struct convolution {
    const struct pe_tensor *x, *bias;
    bool gelu;
    uint64_t height, width;    /* of the positions */
    uint64_t rows, cols, taps; /* of the kernel */
    uint64_t channels;         /* of a group */
    struct pe_tensor weight;   /* as rows, one an output channel */
};

extern const struct pe_filler conv_position_filler;

#endif
