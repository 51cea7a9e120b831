/* SPDX-License-Identifier: Apache-2.0
 * mlp.h - layers of small networks whose weights are in the request, in sums of two doubles. */
#ifndef PE_MATH_MLP_H
#define PE_MATH_MLP_H

#include "core/encoding.h"
#include "core/math/elementary.h"

/* out[o] = bias[o] + sum over i of weights[o][i] in[i]; no bias when it is absent. */
void mlp_layer(const struct pe_reals *weights, const struct pe_reals *bias,
               const struct split *in, struct split *out);
/* max(x, 0) of each. */
void mlp_relu(struct split *x, size_t count);
/* factor / (1 + exp(-x)) within 0.51 ULP. */
double mlp_sigmoid(double factor, struct split x);

#endif
