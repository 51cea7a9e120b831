/* SPDX-License-Identifier: Apache-2.0
 * dape_v2.c - DAPE with convolutions along the keys.
 *
 *     mixed = scores + bias + conv2(leaky_relu(conv1([scores, bias])))
 *
 * conv1 and conv2 see kernel_size keys around each, zeros beyond the ends; [scores, bias] is 0
 * for keys after the query; the last query stands at the last key. For each column of DAPE's
 * weights a row has kernel_size numbers, side by side.
 * Zheng et al. 2024, DAPE V2: Process Attention Score as Feature Map, section 3.
 */
#include "core/encodings/bias/dape.h"

#include "core/math/tensor_row.h"

static const struct pe_param params[] = {
    DAPE_ROWS,
    {PE_FIELD(struct dape, kernel_size), .type = PE_INT, .min = 1, .max = 255, .preset = 3,
     .summary = "keys that a convolution sees, odd"},
};

static const struct pe_output outputs[] = {DAPE_OUTPUT(DAPE_NAMES, "kernel_size")};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct dape *d = values;

    tensor_row_widen(&d->scores, 3);
    tensor_row_widen(&d->bias, 3);
    if (d->kernel_size % 2 == 0)
        pe_fail(errors, PE_OUT_OF_RANGE, "kernel_size", "must be odd; got %lld",
                (long long)d->kernel_size);
}

const struct pe_encoding pe_encoding_dape_v2 = {
    .name = "dape-v2",
    .summary = "scores and biases of all heads, mixed by convolutions along the keys",
    .source = "Zheng et al. 2024, DAPE V2: Process Attention Score as Feature Map, section 3",
    .examples = PE_WORDS("scores=1,2,3&w1=1,2,3;0,1,-1&w2=1,0,1,0,2,0",
                         "scores=1,2;3,4&kernel_size=1&w1=1;-1&w2=0.5,1"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    .detail = "later keys are zeros",
    PE_TABLES(struct dape, params, outputs),
    .resolve = resolve,
    .check = dape_check,
    .shape = dape_shape,
    .prepare = dape_prepare,
};
