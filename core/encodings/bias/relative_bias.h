/* SPDX-License-Identifier: Apache-2.0
 * relative_bias.h - biases that are functions of the head and of query - key: their positions,
 * their future, and the outputs, as a matrix and by difference. */
#ifndef PE_ENCODINGS_RELATIVE_BIAS_H
#define PE_ENCODINGS_RELATIVE_BIAS_H

#include "core/encodings/bias/causal.h"
#include "core/encodings/bias/query_key.h"

struct relative_bias {
    struct query_key pairs;
    struct causal future;
};

/* Rows of parameters for a struct TYPE with a member `struct relative_bias PART`. */
#define RELATIVE_BIAS_ROWS(TYPE, PART)                                                         \
    QUERY_KEY_ROWS(TYPE, PART.pairs), CAUSAL_ROWS(TYPE, PART.future)

#define RELATIVE_BIAS_NAMES "len", "q", "k", "causal", "future", "mask_value"

/* Outputs, numbers and groups. The rest are names of parameters that decide the values. */
enum { RELATIVE_BIAS_BIAS, RELATIVE_BIAS_TOEPLITZ };
#define RELATIVE_BIAS_OUTPUT_ROWS(BOUND, ...)                                                  \
    [RELATIVE_BIAS_BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"),                      \
                            .summary = "added to the attention scores", .by_default = true,    \
                            .uses = PE_WORDS(RELATIVE_BIAS_NAMES, __VA_ARGS__),                \
                            .bound = BOUND},                                                   \
    [RELATIVE_BIAS_TOEPLITZ] = {                                                               \
        PE_OUTPUT("toeplitz", PE_F32, "heads", "difference"),                                  \
        .summary = "the bias by difference: element t is q[0] - k[last] + t",                  \
        .uses = PE_WORDS(RELATIVE_BIAS_NAMES, __VA_ARGS__), .bound = BOUND}

/* What a head's bias is at query - key, lower than 0 for the future. */
typedef double relative_bias_value(const void *rule, size_t head, double difference);
/* What all heads' biases there are made of. */
typedef double relative_bias_shared(const void *rule, double difference);

struct relative_bias_rule {
    relative_bias_value *value;
    relative_bias_shared *shared; /* value is given this in place of the difference; or NULL */
    const void *rule;             /* lives as long as the plan */
    size_t heads;
    double ns, shared_ns; /* of a value, of what is shared */
};

/* at: offset of the struct relative_bias. */
void relative_bias_resolve(struct pe_args *args, size_t at, struct relative_bias *distances,
                           struct pe_errors *errors);
void relative_bias_check(const struct pe_args *args, size_t at, struct pe_errors *errors);
/* heads 0: a bias for all heads, without their axis. */
size_t relative_bias_shape(const struct relative_bias *distances, uint64_t heads, size_t output,
                           uint64_t dims[PE_MAX_RANK]);
/* What relative_bias_prepare takes, for plan_ns. */
double relative_bias_plan_ns(const struct pe_args *args, const struct relative_bias *distances,
                             const struct relative_bias_rule *rule);
/* Fills the wanted outputs. Fails when out of memory. */
void relative_bias_prepare(struct pe_build *build, const struct relative_bias *distances,
                           const struct relative_bias_rule *rule);

#endif
