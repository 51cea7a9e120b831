/* SPDX-License-Identifier: Apache-2.0
 * logn.c - a factor for queries that grows with the logarithm of the position, so that the
 * entropy of attention stays what it was at the trained length.
 *
 *     factor(p) = max(1, ln(p + 1) / ln(train_len))     or with a length n in place of p + 1
 *
 * Su, kexue.fm 8823; Qwen's logn_list. kappa stands in for 1 / ln(train_len).
 */
#include "core/math/relative/logn.h"

#include <math.h>

#include "core/math/precomputed.h"

enum { FACTOR };

struct logn_values {
    const struct pe_positions *pos;
    double seq_len, train_len, kappa;
    bool clip;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct logn_values, pos), .type = PE_POSITIONS, .required = true,
     .fractions = true, .unit = "positions", .when = "!seq_len",
     .summary = "positions of the queries, as 0:128"},
    {PE_FIELD(struct logn_values, seq_len), .type = PE_REAL, .optional = true, .min = 1,
     .max = 0x1p53,
     .summary =
         "length of the sequence, whose one factor is given in place of those of positions"},
    {PE_FIELD(struct logn_values, train_len), .type = PE_REAL, .required = true,
     .above_min = true, .min = 1, .max = 0x1p53, .when = "!kappa",
     .summary = "length of the context in training, in tokens (seq_length of Qwen)"},
    {PE_FIELD(struct logn_values, kappa), .type = PE_REAL, .optional = true, .min = 1e-18,
     .max = 1e18, PE_OWN("Su 2021", FREQUENCIES, ADVANCED),
     .summary = "factor on the logarithm, in place of 1 / ln(train_len)"},
    {PE_FIELD(struct logn_values, clip), .type = PE_BOOL, .preset = 1,
     PE_OWN("posenc", CONVENTION, ADVANCED), .summary = "no factor is below 1"},
};

static const struct pe_output outputs[] = {
    [FACTOR] = {PE_OUTPUT("factor", PE_F32, "pos"), .label = "Factor",

                .summary = "factor on the query at each position, or on all scores of a length",
                .by_default = true, .bound = "0.501 ULP; f64 0.52 ULP"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct logn_values *v = values;
    double low = 0, high;

    if (v->pos)
        pe_positions_range(v->pos, &low, &high);
    if (low <= -1)
        pe_fail(errors, PE_OUT_OF_RANGE, "pos",
                "must be above -1, where ln(pos + 1) ends; got %g", low);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct logn_values *v = values;
    struct logn logn = {.pos = v->pos, .multiplier = {v->kappa, 0}, .clip = v->clip};
    struct dd factor;

    if (isnan(v->kappa))
        logn.multiplier = logn_multiplier(v->train_len);
    if (v->pos) {
        pe_build_fill_copy(build, FACTOR, &logn_filler, &logn, sizeof logn);
        return;
    }
    factor = elementary_multiply(elementary_log(v->seq_len), logn.multiplier);
    factor.hi += factor.lo;
    precomputed_scalar(build, FACTOR, v->clip && factor.hi < 1 ? 1 : factor.hi);
}

const struct pe_encoding pe_encoding_logn = {
    .name = "logn",
    .title = "Log-n scaling",
    .formula =
        "factor(p) = max(1, ln(p + 1) / ln(train_len)); with seq_len n in place of p + 1",
    .when_to_use =
        "Qwen 1 and models after kexue.fm multiply queries by it, so that the entropy of "
        "attention does not grow beyond the trained length.",
    .what_goes_wrong =
        "The logarithm is of position + 1, so position train_len - 1 has factor 1. The "
        "factor belongs to the query, before scores are formed, and cached keys stay as they "
        "are.",
    .picture = "pos=0:4096:32&train_len=512",
    .summary = "factor of the logarithm of the position, for contexts beyond the trained one",
    .source = "Su, kexue.fm 8823; Qwen modeling_qwen.py, logn_list",
    .examples = PE_WORDS("pos=510:514&train_len=512", "seq_len=1024&train_len=512",
                         "pos=0:4&kappa=0.5&clip=0"),
    .family = PE_BIAS,
    PE_TABLES(struct logn_values, params, outputs),
    .check = check,
    .lengths = PE_WORDS("pos=pos?"),
    .prepare = prepare,
};
