/* SPDX-License-Identifier: Apache-2.0
 * mlp.c - see mlp.h. */
#include "core/math/mlp.h"

#include <math.h>

enum { EXP_LAST = 700 };

void mlp_layer(const struct pe_reals *weights, const struct pe_reals *bias,
               const struct split *in, struct split *out)
{
    for (size_t o = 0; o < weights->rows; o++) {
        struct split sum = {bias->rows > 0 ? bias->values[o] : 0, 0};

        for (size_t i = 0; i < weights->cols; i++) {
            struct split weight = {weights->values[o * weights->cols + i], 0};

            sum = elementary_add(sum, elementary_multiply(weight, in[i]));
        }
        out[o] = sum;
    }
}

void mlp_relu(struct split *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (x[i].hi < 0)
            x[i] = (struct split){0, 0};
    }
}

/* With t = exp(-|x|), which is at most 1: 1 / (1 + t) or t / (1 + t). */
double mlp_sigmoid(double factor, struct split x)
{
    struct split below = x.hi > 0 ? (struct split){-x.hi, -x.lo} : x, one = {1, 0}, t, share;

    if (below.hi < -EXP_LAST)
        return x.hi > 0 ? factor : factor * elementary_exp(below);
    t = elementary_exp_split(below);
    share = elementary_divide(x.hi > 0 ? one : t, elementary_add(one, t));
    share = elementary_multiply(share, (struct split){factor, 0});
    return share.hi + share.lo;
}
