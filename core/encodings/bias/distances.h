/* SPDX-License-Identifier: Apache-2.0
 * distances.h - biases that are functions of the head and of query - key: their positions,
 * their future, and the outputs, as a matrix and by difference. */
#ifndef PE_ENCODINGS_DISTANCES_H
#define PE_ENCODINGS_DISTANCES_H

#include "core/encodings/bias/future.h"
#include "core/encodings/bias/pairs.h"

struct distances {
    struct pairs pairs;
    struct future future;
};

/* Rows of parameters for a struct TYPE with a member `struct distances PART`. */
#define DISTANCES_ROWS(TYPE, PART) PAIRS_ROWS(TYPE, PART.pairs), FUTURE_ROWS(TYPE, PART.future)

#define DISTANCES_NAMES "len", "q", "k", "causal", "future", "mask_value"

/* Outputs, numbers and groups. The rest are names of parameters that decide the values. */
enum { DISTANCES_BIAS, DISTANCES_TOEPLITZ };
#define DISTANCES_OUTPUT_ROWS(BOUND, ...)                                                      \
    [DISTANCES_BIAS] = {"bias",                                                                \
                        "added to the attention scores",                                       \
                        {"heads", "q", "k"},                                                   \
                        DISTANCES_BIAS,                                                        \
                        PE_F32,                                                                \
                        true,                                                                  \
                        PE_WORDS(DISTANCES_NAMES, __VA_ARGS__),                                \
                        BOUND},                                                                \
    [DISTANCES_TOEPLITZ] = {"toeplitz",                                                        \
                            "the bias by difference: element t is q[0] - k[last] + t",         \
                            {"heads", "difference"},                                           \
                            DISTANCES_TOEPLITZ,                                                \
                            PE_F32,                                                            \
                            false,                                                             \
                            PE_WORDS(DISTANCES_NAMES, __VA_ARGS__),                            \
                            BOUND}

/* What a head's bias is at query - key, lower than 0 for the future. */
typedef double distances_value(const void *rule, size_t head, double difference);
/* What all heads' biases there are made of. */
typedef double distances_shared(const void *rule, double difference);

struct distances_rule {
    distances_value *value;
    distances_shared *shared; /* value is given this in place of the difference; or NULL */
    const void *rule;         /* lives as long as the plan */
    size_t heads;
    double ns, shared_ns; /* of a value, of what is shared */
};

/* at: offset of the struct distances. */
enum pe_status distances_resolve(struct pe_args *args, size_t at, struct distances *distances,
                                 struct pe_errors *errors);
enum pe_status distances_check(const struct pe_args *args, size_t at, struct pe_errors *errors);
/* heads 0: a bias for all heads, without their axis. */
size_t distances_shape(const struct distances *distances, uint64_t heads, size_t output,
                       uint64_t dims[PE_MAX_RANK]);
/* What distances_prepare takes, for plan_ns. */
double distances_plan_ns(const struct pe_args *args, const struct distances *distances,
                         const struct distances_rule *rule);
/* Fills the wanted outputs. Fails when out of memory. */
enum pe_status distances_prepare(struct pe_build *build, const struct distances *distances,
                                 const struct distances_rule *rule, struct pe_errors *errors);

#endif
