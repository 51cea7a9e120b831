/* SPDX-License-Identifier: Apache-2.0
 * cope.h - arguments of contextual positions, and how they are counted. */
#ifndef PE_ENCODINGS_COPE_H
#define PE_ENCODINGS_COPE_H

#include "core/encodings/bias/causal.h"

enum { COPE_BIAS, COPE_POSITIONS };                            /* outputs */
enum { COPE_LOGITS, COPE_QUERIES, COPE_TABLE, COPE_PRODUCTS }; /* inputs */
enum { COPE_LINEAR, COPE_SOFTMAX };

struct cope {
    struct pe_tensor logits, queries, table, products;
    struct pe_reals talking_heads;
    int64_t npos_max;
    int interpolation;
    double temperature, mask_value;
};

/* How many positions have a row. */
uint64_t cope_rows(const struct cope *cope);
/* The encoding's prepare hook. */
void cope_prepare(struct pe_build *build, const void *values);

#endif
