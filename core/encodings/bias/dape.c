/* SPDX-License-Identifier: Apache-2.0
 * dape.c - data-adaptive positional encoding: a network of all heads' scores and biases.
 *
 *     mixed = scores + bias + w2 leaky_relu(w1 [scores, bias] + b1) + b2
 *
 * for each query and key, the vectors being over the heads; without a bias of [scores] alone.
 * Zheng et al. 2024, DAPE: Data-Adaptive Positional Encoding, section 3;
 * chuanyang-Zheng/DAPE.
 */
#include "core/encodings/bias/dape.h"

#include "core/math/tensor_row.h"

static const struct pe_param params[] = {DAPE_ROWS};

static const struct pe_output outputs[] = {DAPE_OUTPUT(DAPE_NAMES)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct dape *d = values;

    tensor_row_widen(&d->scores, 3);
    tensor_row_widen(&d->bias, 3);
    d->kernel_size = 1;
}

const struct pe_encoding pe_encoding_dape = {
    .name = "dape",
    .summary = "scores and biases of all heads, mixed by a network",
    .source = "Zheng et al. 2024, DAPE: Data-Adaptive Positional Encoding, section 3",
    .examples = PE_WORDS("scores=1,2;3,4&w1=1;-1&w2=0.5,1",
                         "scores=1&bias=-0.5&w1=1,0.5;-1,0.2&w2=0.3,-0.2&b2=0.05"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct dape, params, outputs),
    .resolve = resolve,
    .check = dape_check,
    .shape = dape_shape,
    .prepare = dape_prepare,
};
