/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier.h - arguments of learnable-fourier, for the two files that make it up. */
#ifndef PE_ENCODINGS_LEARNABLE_FOURIER_H
#define PE_ENCODINGS_LEARNABLE_FOURIER_H

#include "core/encodings/spatial/spatial_columns.h"

/* Outputs, and groups. */
enum {
    LEARNABLE_FOURIER_COS,
    LEARNABLE_FOURIER_SIN,
    LEARNABLE_FOURIER_ANGLES,
    LEARNABLE_FOURIER_FEATURES,
    LEARNABLE_FOURIER_ROWS,
};

struct learnable_fourier {
    struct pe_reals coords, wr, size, w1, b1, w2, b2;
    int width;
};

/* Fill the group of rows: the network of these features. False when out of memory. */
bool learnable_fourier_network(struct pe_build *build, const struct learnable_fourier *values,
                               const struct axes_columns *features);

#endif
