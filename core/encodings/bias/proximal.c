/* SPDX-License-Identifier: Apache-2.0
 * proximal.c - a bias for near keys without learned parameters; all heads share it.
 *
 *     bias[i][j] = -ln(1 + |q_i - k_j|)
 *
 * tensor2tensor common_attention.py, attention_bias_proximal.
 */
#include <math.h>

#include "core/encodings/bias/relative_bias.h"
#include "core/math/number/elementary.h"

struct proximal {
    struct relative_bias distances;
};

static const struct pe_param params[] = {RELATIVE_BIAS_ROWS(struct proximal, distances)};

static const struct pe_output outputs[] = {
    [RELATIVE_BIAS_BIAS] = {PE_OUTPUT("bias", PE_F32, "q", "k"), .label = "Bias",
                            .one_of = QUERY_KEY_ONE_OF, .sign = PE_NOT_POSITIVE,
                            .summary = "bias that is added to the attention scores",
                            .by_default = true, .bound = "0.501 ULP; f64 1 ULP"},
    [RELATIVE_BIAS_TOEPLITZ] = {PE_OUTPUT("toeplitz", PE_F32, "difference"),
                                .label = "Bias by difference", .one_of = QUERY_KEY_ONE_OF,
                                .sign = PE_NOT_POSITIVE,
                                .summary =
                                    "bias of each difference query - key: element t has q[0] "
                                    "- k[last] + t",
                                .bound = "0.501 ULP; f64 1 ULP"},
};

static double value(const void *rule, size_t head, double difference)
{
    return -elementary_log_dd(elementary_sum(fabs(difference), 1)).hi;
}

static struct relative_bias_rule rule_of(const void *values)
{
    return (struct relative_bias_rule){.value = value, .heads = 1, .ns = 200};
}

static const struct relative_bias_kind kind = {rule_of};

const struct pe_encoding pe_encoding_proximal = {
    .name = "proximal",
    .title = "Proximal bias (tensor2tensor)",
    .formula = "bias = -ln(1 + |q - k|)",
    .when_to_use =
        "tensor2tensor adds it where a model has no other sense of near and far; it has no "
        "parameters, and all heads share it. alibi falls faster and differs between heads.",
    .what_goes_wrong =
        "The bias is symmetric and masks nothing: decoders need the causal mask besides "
        "(causal=1).",
    .picture = "len=48",
    .summary = "attention bias that falls with the logarithm of the distance",
    .source = "tensor2tensor common_attention.py, attention_bias_proximal",
    .examples = PE_WORDS("len=4", "q=99:100&k=0:100:10", "len=3&causal=1&mask_value=-inf",
                         "len=4&out=toeplitz"),
    .family = PE_BIAS,
    .detail = &kind,
    PE_TABLES_OF(struct proximal, distances, params, outputs),
    .resolve = relative_bias_resolve,
    .check = relative_bias_check,
    .shape = relative_bias_shape,
    .plan_ns = relative_bias_plan_ns,
    .prepare = relative_bias_prepare,
};
