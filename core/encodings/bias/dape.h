/* SPDX-License-Identifier: Apache-2.0
 * dape.h - scores and biases of all heads, mixed by a network: the network of dape sees one key
 * at a time, that of dape-v2 its neighbours too. */
#ifndef PE_ENCODINGS_DAPE_H
#define PE_ENCODINGS_DAPE_H

#include "core/encoding.h"

struct dape {
    struct pe_tensor scores, bias;
    struct pe_reals w1, b1, w2, b2;
    double negative_slope;
    int64_t kernel_size; /* count of keys that the network sees; 1 for dape */
};

#define DAPE_WEIGHTS(FIELD, MATRIX, REQUIRED, SUMMARY)                                         \
    {                                                                                          \
        PE_FIELD(struct dape, FIELD), .type = PE_REALS, .matrix = (MATRIX),                    \
                                      .required = (REQUIRED), .min = -1e18, .max = 1e18,       \
                                      .summary = SUMMARY                                       \
    }

#define DAPE_ROWS                                                                              \
    {PE_FIELD(struct dape, scores), .type = PE_TENSOR, .table = true, .required = true,        \
     .summary = "attention scores: heads, queries, keys; or of one head"},                     \
        {PE_FIELD(struct dape, bias), .type = PE_TENSOR, .table = true, .optional = true,      \
         .summary = "another encoding's bias, shaped as scores"},                              \
        DAPE_WEIGHTS(w1, true, true, "a row a hidden unit, a column a score, then a bias"),    \
        DAPE_WEIGHTS(b1, false, false, "added to them, one a unit"),                           \
        DAPE_WEIGHTS(w2, true, true, "a row a head, a column a unit"),                         \
        DAPE_WEIGHTS(b2, false, false, "added to the answers, one a head"),                    \
    {                                                                                          \
        PE_FIELD(struct dape, negative_slope), .type = PE_REAL, .min = -1e18, .max = 1e18,     \
                                               .preset = 0.01,                                 \
                                               .summary = "of the leaky ReLU between"          \
    }

#define DAPE_NAMES "scores", "bias", "w1", "b1", "w2", "b2", "negative_slope"

/* The only output, group 0. */
#define DAPE_OUTPUT(...)                                                                       \
    {                                                                                          \
        PE_OUTPUT("mixed", PE_F32, "heads", "q", "k"),                                         \
            .summary = "scores + bias + what the network adds", .by_default = true,            \
            .uses = PE_WORDS(__VA_ARGS__),                                                     \
            .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"                \
    }

/* Hooks that dape and dape_v2.c share. */
void dape_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
size_t dape_shape(const struct pe_args *args, const void *values, size_t output,
                  uint64_t dims[PE_MAX_RANK]);
void dape_prepare(struct pe_build *build, const void *values);

#endif
