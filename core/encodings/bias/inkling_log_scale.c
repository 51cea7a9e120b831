/* SPDX-License-Identifier: Apache-2.0
 * inkling_log_scale.c - a factor for queries that is 1 up to a length and then grows with the
 * logarithm of the position.
 *
 *     factor(p) = 1 + alpha ln(max((p + 1) / n_floor, 1))
 *
 * Inkling, layers of full attention: transformers modeling_inkling.py (commit
 * 0d828d27ab0c5fffb5cca555764ca4446e280045), InklingAttention.
 */
#include "core/encoding.h"
#include "core/math/number/elementary.h"

enum { FACTOR };

struct log_scale {
    const struct pe_positions *pos;
    double log_scaling_alpha;
    int64_t log_scaling_n_floor;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct log_scale, false),
    {PE_FIELD(struct log_scale, log_scaling_alpha), .type = PE_REAL, .min = 0, .max = 1e6,
     .preset = 0.1, PE_OWN("transformers", FREQUENCIES, BASIC),
     .summary = "factor on the logarithm"},
    {PE_FIELD(struct log_scale, log_scaling_n_floor), .type = PE_INT, .min = 1, .max = 0x1p53,
     .preset = 128000, PE_OWN("transformers", FREQUENCIES, BASIC),
     .summary = "number of tokens up to which the factor is 1"},
};

static const struct pe_output outputs[] = {
    [FACTOR] = {PE_OUTPUT("factor", PE_F32, "pos"), .label = "Factor", .sign = PE_NOT_NEGATIVE,
                .summary = "factor on the query at each position", .by_default = true,
                .bound = "0.501 ULP; f64 0.52 ULP"},
};

static double factor_at(const void *state, uint64_t row, uint64_t col,
                        const void *const input[])
{
    const struct log_scale *s = state;
    const double n = (double)s->log_scaling_n_floor;
    const struct dd tokens = elementary_sum(pe_positions_at(s->pos, col), 1);

    if (tokens.hi < n || (tokens.hi == n && tokens.lo <= 0))
        return 1;
    struct dd log = elementary_log_dd(elementary_divide(tokens, (struct dd){n, 0}));
    struct dd grown = elementary_multiply(log, (struct dd){s->log_scaling_alpha, 0});
    struct dd factor = elementary_add((struct dd){1, 0}, grown);

    return factor.hi + factor.lo;
}

static const struct pe_filler filler = {.element = factor_at, .ns_per_element = 120};

const struct pe_encoding pe_encoding_inkling_log_scale = {
    .name = "inkling-log-scale",
    .title = "Log scale of Inkling",
    .formula = "factor(p) = 1 + log_scaling_alpha ln(max((p + 1) / log_scaling_n_floor, 1))",
    .when_to_use =
        "Inkling multiplies the queries of its layers of full attention by it, and their "
        "relative logits with them. logn is the same with alpha = 1 / ln(train_len).",
    .what_goes_wrong =
        "The layers with a window do not have it, and the first 128,000 tokens have factor 1, "
        "so short tests pass. The count of tokens is the position plus one.",
    .picture = "pos=0:640000:5000",
    .summary = "factor that grows with the logarithm of the position beyond a length",
    .source = "Inkling, log scaling of attention; transformers modeling_inkling.py",
    .examples = PE_WORDS("pos=127999,128000,256000,1048575",
                         "pos=0:8&log_scaling_n_floor=4&log_scaling_alpha=1"),
    .family = PE_BIAS,
    PE_TABLES(struct log_scale, params, outputs),
    .filler = &filler,
};
