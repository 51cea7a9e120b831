/* SPDX-License-Identifier: Apache-2.0
 * dynamic_network.h - the network of dynamic position biases: linear layers of equal width,
 * with a layer norm (if asked) and an activation before each but the first. */
#pragma once

#include "core/encoding.h"
#include "core/math/number/elementary.h"

enum dynamic_activation { DYNAMIC_SILU, DYNAMIC_RELU };

struct dynamic_network {
    struct pe_reals w_in; /* a row for each unit; with one input a list of weights */
    struct pe_reals b_in, w_hidden, b_hidden, w_out, b_out, norm_weight, norm_bias;
    bool layer_norm;
};

/* The choices of an encoding. residual: the output of a middle layer is added to its input. */
struct dynamic_form {
    size_t inputs;
    enum dynamic_activation activation;
    bool residual;
};

#define DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, FIELD, MATRIX, REQUIRED, WHEN, SUMMARY)            \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, FIELD), .type = PE_REALS, .matrix = (MATRIX),                  \
                                        .required = (REQUIRED), .min = -1e18, .max = 1e18,     \
                                        .when = (WHEN), .summary = SUMMARY,                    \
                                        .level = (REQUIRED) ? PE_BASIC : PE_LEVEL_UNSET        \
    }
/* Rows of all parameters but w_in for a struct TYPE with `struct dynamic_network PART`. */
#define DYNAMIC_NETWORK_ROWS(TYPE, PART)                                                       \
    DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, b_in, false, false, NULL, NULL),                       \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, w_hidden, true, false, NULL, NULL),                \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, b_hidden, true, false, "w_hidden", NULL),          \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, w_out, true, true, NULL, NULL),                    \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, b_out, false, false, NULL, NULL),                  \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, norm_weight, true, false, "layer_norm", NULL),     \
        DYNAMIC_NETWORK_WEIGHTS(TYPE, PART, norm_bias, true, false, "layer_norm", NULL)
#define DYNAMIC_NETWORK_NAMES                                                                  \
    "w_in", "b_in", "w_hidden", "b_hidden", "w_out", "b_out", "norm_weight", "norm_bias",      \
        "layer_norm"

/* Fails unless the weights have shapes that fit each other; for an encoding's check. */
void dynamic_network_check(const struct dynamic_network *network,
                           const struct dynamic_form *form, struct pe_errors *errors);
/* Returns the count of multiplications by weights in one evaluation. */
double dynamic_network_products(const struct dynamic_network *network,
                                const struct dynamic_form *form);
/* Returns the operations that one evaluation takes. */
double dynamic_network_ns(const struct dynamic_network *network,
                          const struct dynamic_form *form);
/* Returns the count of double-doubles that one evaluation needs as scratch. */
size_t dynamic_network_scratch(const struct dynamic_network *network,
                               const struct dynamic_form *form);
/* Evaluates the network. Returns the outputs, one a head, which are in the scratch. */
const struct dd *dynamic_network_ask(const struct dynamic_network *network,
                                     const struct dynamic_form *form, const struct dd *in,
                                     struct dd *scratch);
