/* SPDX-License-Identifier: Apache-2.0
 * transformer_xl.h - arguments of Transformer-XL's attention, its scores and its table. */
#pragma once

#include "core/encodings/bias/query_key.h"
#include "core/math/trig/phase.h"

enum { XL_DISTANCE, XL_SCORES, XL_RAW_BD, XL_TABLE };
enum { XL_ORDER_XL, XL_ORDER_XLNET, XL_ORDER_CONFORMER };
enum { XL_ATTN_BI, XL_ATTN_UNI };

struct transformer_xl {
    struct query_key pairs;
    int64_t max_distance, dim;
    double base, softmax_scale;
    int distance_order, attn_type;
    bool bi_data;
    struct pe_reals w_r, u, v;
    struct pe_reals seg_embed, r_s_bias, q_segment_ids, k_segment_ids;
    struct pe_tensor queries, keys; /* inputs, in this order */
};

/* Returns q - k clamped to -max_distance .. max_distance. */
double transformer_xl_distance(const struct transformer_xl *xl, double difference);
/* Returns the count of rows of the table and of columns of raw_bd, and writes the distance of
 * the first; each next distance is one less. */
uint64_t transformer_xl_rows(const struct transformer_xl *xl, double *first);

/* Returns the count of multiplications that project the sinusoids of these distances. */
double transformer_xl_scores_products(const struct pe_args *args,
                                      const struct transformer_xl *xl);
/* Fails unless the parameters of the segment term come together and fit the other ones. */
void transformer_xl_segments_check(const struct transformer_xl *xl, struct pe_errors *errors);
/* Returns the frequencies of sinusoids of width dim, or NULL when out of memory. */
struct phase_freq *transformer_xl_frequencies(struct pe_build *build,
                                              const struct transformer_xl *xl, size_t dim);
/* Fills scores and raw_bd where they are wanted. */
void transformer_xl_scores_fill(struct pe_build *build, const struct transformer_xl *xl);

size_t transformer_xl_table_shape(const struct transformer_xl *xl, uint64_t dims[PE_MAX_RANK]);
/* Fills the table of sinusoids. */
void transformer_xl_table_fill(struct pe_build *build, const struct transformer_xl *xl);
