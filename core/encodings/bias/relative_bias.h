/* SPDX-License-Identifier: Apache-2.0
 * relative_bias.h - biases that are functions of the head and of query - key: parameters for
 * positions and future keys, and outputs as a matrix and by difference. */
#pragma once

#include "core/encodings/bias/causal.h"
#include "core/encodings/bias/query_key.h"

struct relative_bias {
    struct query_key pairs;
    struct causal future;
};

/* Rows of parameters for a struct TYPE with a member `struct relative_bias PART`. */
#define RELATIVE_BIAS_ROWS(TYPE, PART)                                                         \
    QUERY_KEY_ROWS(TYPE, PART.pairs), CAUSAL_ROWS(TYPE, PART.future, CAUSAL_WHEN)

#define RELATIVE_BIAS_NAMES "len", "q", "k", "causal", "future", "mask_value"

/* Rows of outputs. The values are one-sided as SIGN says, an enum pe_sign, and depend on the
 * parameters USES (NULL: all). */
enum { RELATIVE_BIAS_BIAS, RELATIVE_BIAS_TOEPLITZ };
#define RELATIVE_BIAS_OUTPUT_ROWS(BOUND, SIGN, USES)                                           \
    [RELATIVE_BIAS_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"),                      \
                            .label = "Bias",                                                   \
                            .sign = SIGN,                                                      \
                            .one_of = QUERY_KEY_ONE_OF,                                        \
                            .summary = "bias that is added to the attention scores",           \
                            .by_default = true,                                                \
                            .uses = USES,                                                      \
                            .bound = BOUND},                                                   \
    [RELATIVE_BIAS_TOEPLITZ] = {                                                               \
        PE_OUTPUT("toeplitz", PE_F32, "heads", "difference"),                                  \
        .label = "Bias by difference",                                                         \
        .sign = SIGN,                                                                          \
        .one_of = QUERY_KEY_ONE_OF,                                                            \
        .summary = "bias of each difference query - key: element t has q[0] - k[last] + t",    \
        .uses = USES,                                                                          \
        .bound = BOUND}

/* Returns a head's bias at query - key, which is below 0 for future keys. */
typedef double relative_bias_value(const void *rule, size_t head, double difference);
/* Returns the part of the biases at a difference that all heads share. */
typedef double relative_bias_shared(const void *rule, double difference);

struct relative_bias_rule {
    relative_bias_value *value;
    relative_bias_shared *shared; /* value takes this in place of the difference; or NULL */
    const void *rule;             /* lives as long as the plan */
    size_t heads;
    double ns, shared_ns; /* costs of a value and of the shared part */
};

/* The .detail of an encoding whose values begin with a struct relative_bias; the hooks below
 * read it. It makes the rule of checked values; prepare sets the rule's .rule to the values. */
struct relative_bias_kind {
    struct relative_bias_rule (*rule)(const void *values);
};

void relative_bias_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void relative_bias_check(const struct pe_args *args, const void *values,
                         struct pe_errors *errors);
/* Derives the shape from the names of the output's axes: heads, q, k and difference. */
size_t relative_bias_shape(const struct pe_args *args, const void *values, size_t output,
                           uint64_t dims[PE_MAX_RANK]);
double relative_bias_plan_ns(const struct pe_args *args, const void *values);
void relative_bias_prepare(struct pe_build *build, const void *values);
/* Does the work of the prepare hook for a rule whose .rule the encoding has set itself. */
void relative_bias_fill(struct pe_build *build, const struct relative_bias *distances,
                        const struct relative_bias_rule *rule);
