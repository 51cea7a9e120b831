/* SPDX-License-Identifier: Apache-2.0
 * transformer_xl.h - arguments of Transformer-XL's attention, and its scores. */
#ifndef PE_ENCODINGS_TRANSFORMER_XL_H
#define PE_ENCODINGS_TRANSFORMER_XL_H

#include "core/encodings/bias/pairs.h"

enum { XL_DISTANCE, XL_SCORES, XL_RAW_BD };
enum { XL_ORDER_XL, XL_ORDER_XLNET };

struct transformer_xl {
    struct pairs pairs;
    int64_t clamp_len;
    double base, scale;
    int order;
    struct pe_reals w_r, u, v;
    struct pe_tensor queries, keys; /* inputs, in this order */
};

/* q - k within clamp_len. */
double transformer_xl_distance(const struct transformer_xl *xl, double difference);
/* Columns of raw_bd, and the distance of the first; each next is one less. */
uint64_t transformer_xl_raw_columns(const struct transformer_xl *xl, double *first);

/* Smallest and largest distance that wanted outputs need. */
void transformer_xl_scores_span(const struct pe_args *args, const struct transformer_xl *xl,
                                double *low, double *high);
/* Products of the projection of the sinusoids of these distances. */
double transformer_xl_scores_products(const struct pe_args *args,
                                      const struct transformer_xl *xl);
/* Fills scores and raw_bd where wanted. False when out of memory. */
bool transformer_xl_scores_fill(struct pe_build *build, const struct transformer_xl *xl);

#endif
