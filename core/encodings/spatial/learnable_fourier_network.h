/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier_network.h - the rows W2 gelu(W1 f + b1) + b2 of points with features f. */
#pragma once

#include "core/encoding.h"
#include "core/math/axes/axes_columns.h"

struct learnable_fourier_network {
    const struct pe_reals *w1, *b1, *w2, *b2;
    const struct axes_columns *features; /* for the filler */
};

/* Adds a problem for each matrix that has not the width which this number of features, or the
 * matrix before it, asks for. */
void learnable_fourier_network_check(const struct learnable_fourier_network *network,
                                     size_t features, struct pe_errors *errors);

/* Fills a row for each point; state: struct learnable_fourier_network. */
extern const struct pe_filler learnable_fourier_network_filler;
