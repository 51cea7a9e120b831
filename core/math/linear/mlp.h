/* SPDX-License-Identifier: Apache-2.0
 * mlp.h - layers of small networks whose weights are in the request, computed in
 * double-doubles. */
#pragma once

#include "core/encoding.h"
#include "core/math/number/elementary.h"

/* Fails unless the weights, if given, have so many rows of so many numbers; for check. */
void mlp_check_weights(const char *name, const struct pe_reals *weights, uint64_t rows,
                       uint64_t cols, struct pe_errors *errors);

/* Computes out[o] = bias[o] + sum over i of weights[o][i] in[i]; bias may be absent. */
void mlp_layer(const struct pe_reals *weights, const struct pe_reals *bias, const struct dd *in,
               struct dd *out);
/* Replaces each x by max(x, 0). */
void mlp_relu(struct dd *x, size_t count);
/* Apply layer norm (Ba et al. 2016): mean 0, variance 1 with 1e-5 added, then times weight,
 * plus bias. Weight and bias may be absent. */
void mlp_normalise(struct dd *x, size_t count, const struct pe_reals *weight,
                   const struct pe_reals *bias);
/* Replaces each x by x / (1 + exp(-x)), with a relative error below 2^-55. */
void mlp_silu(struct dd *x, size_t count);

/* Two layers: the rows of w1 are units, the rows of w2 are answers; b1 and b2 may be absent.
 * Between the layers a negative value is multiplied by slope: 0 for ReLU. */
struct mlp {
    const struct pe_reals *w1, *b1, *w2, *b2;
    double slope;
};

enum { MLP_MOST_UNITS = 16384 };

/* Checks that w1, b1, w2 and b2 fit each other and the number of inputs, which are `what` ("dy
 * and dx"); with one input w1 is a list. For check hooks. */
enum pe_status mlp_check(const struct mlp *mlp, size_t inputs, const char *what,
                         struct pe_errors *errors);
size_t mlp_units(const struct mlp *mlp, size_t inputs);
/* Returns the value of one unit of the first layer after the activation, and of one answer. */
struct dd mlp_unit(const struct mlp *mlp, size_t unit, const struct dd *in, size_t inputs);
struct dd mlp_answer(const struct mlp *mlp, size_t answer, const struct dd *in, size_t inputs);

/* How often a network is evaluated while planning, when its answers are kept. */
struct mlp_questions {
    double count;
    double products, answers; /* products of all evaluations, answers that are kept */
    /* words for the answers ("biases of all offsets"); the parameter that makes them many */
    const char *kept, *parameter;
};

/* Refuse evaluations that take seconds or many MiB. For check hooks. */
void mlp_check_questions(const struct mlp_questions *questions, struct pe_errors *errors);

/* Returns 1 / (1 + exp(-x)) with a relative error below 2^-55; NaN stays NaN. */
struct dd mlp_share(struct dd x);
/* Returns factor / (1 + exp(-x)) within 0.51 ULP. */
double mlp_sigmoid(double factor, struct dd x);
