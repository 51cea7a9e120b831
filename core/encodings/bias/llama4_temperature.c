/* SPDX-License-Identifier: Apache-2.0
 * llama4_temperature.c - a factor for queries that grows with the logarithm of the number of
 * blocks before them.
 *
 *     factor(p) = 1 + attn_scale ln(floor((p + offset) / floor_scale) + 1)
 *
 * Llama 4 (layers without positions); Mistral 3 with offset 0. transformers modeling_llama4.py
 * and modeling_ministral3.py; llama.cpp has the same three numbers.
 */
#include "core/encoding.h"
#include "core/math/number/elementary.h"

enum { FACTOR };

struct temperature {
    const struct pe_positions *pos;
    double attn_scale;
    int64_t floor_scale, offset;
    int preset;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct temperature, false),
    {PE_FIELD(struct temperature, attn_scale), .type = PE_REAL, .min = 0, .max = 1e6,
     .preset = 0.1, PE_OWN("transformers", FREQUENCIES, BASIC),
     .summary = "factor on the logarithm (llama_4_scaling_beta)"},
    {PE_FIELD(struct temperature, floor_scale), .type = PE_INT, .min = 1, .max = 0x1p53,
     .preset = 8192, PE_OWN("transformers", FREQUENCIES, BASIC),
     .summary = "positions of a block (original_max_position_embeddings of Ministral 3)"},
    {PE_FIELD(struct temperature, offset), .type = PE_INT, .min = -0x1p53, .max = 0x1p53,
     .preset = 1,
     .summary = "number that is added to positions before they are divided by floor_scale"},
    {PE_FIELD(struct temperature, preset),
     PE_CHOICES({"llama4", .summary = "Llama 4: 0.1, 8192 and offset 1",
                 .stands_for = "attn_scale=0.1&floor_scale=8192&offset=1"},
                {"ministral3", PE_WORDS("mistral3"),
                 "Ministral 3: llama_4_scaling_beta 0.1, 16384 and no offset",
                 .stands_for = "attn_scale=0.1&floor_scale=16384&offset=0"}),
     .optional = true, .expanded = true,
     .summary =
         "model whose numbers are taken: sets the three parameters, each of which may be "
         "given"},
};

static const struct pe_output outputs[] = {
    [FACTOR] = {PE_OUTPUT("factor", PE_F32, "pos"), .label = "Factor", .sign = PE_NOT_NEGATIVE,
                .summary = "factor on the query at each position", .by_default = true,
                .bound = "0.501 ULP; f64 0.52 ULP"},
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct temperature *t = values;
    double low, high;

    pe_positions_range(t->pos, &low, &high);
    if (pe_positions_count(t->pos) > 0 && low + (double)t->offset < 0)
        pe_fail(errors, PE_OUT_OF_RANGE, "pos", "must be at least -offset, %lld; got %.0f",
                (long long)-t->offset, low);
}

static double factor_at(const void *state, uint64_t row, uint64_t col,
                        const void *const input[])
{
    const struct temperature *t = state;
    int64_t position = (int64_t)pe_positions_at(t->pos, col);
    int64_t blocks = (position + t->offset) / t->floor_scale; /* both are integers */
    struct dd log = elementary_log((double)(blocks + 1));
    struct dd grown = elementary_multiply(log, (struct dd){t->attn_scale, 0});
    struct dd factor = elementary_add((struct dd){1, 0}, grown);

    return factor.hi + factor.lo;
}

static const struct pe_filler filler = {.element = factor_at, .ns_per_element = 120};

const struct pe_encoding pe_encoding_llama4_temperature = {
    .name = "llama4-temperature",
    .title = "Attention temperature of Llama 4",
    .formula = "factor(p) = 1 + attn_scale ln(floor((p + offset) / floor_scale) + 1)",
    .when_to_use =
        "Llama 4 multiplies the queries of its layers without RoPE by it, so that attention "
        "stays sharp in long contexts. logn grows smoothly instead.",
    .what_goes_wrong =
        "It belongs to the layers without positions only, and the first 8,191 tokens have "
        "factor 1, so short tests pass. Ministral 3 has no offset.",
    .picture = "pos=0:40000:500",
    .summary = "factor that grows with the logarithm of the blocks before a query",
    .source = "Llama 4, attention temperature tuning; transformers modeling_llama4.py, "
              "modeling_ministral3.py",
    .examples = PE_WORDS("pos=8190:8194", "pos=0,16384,100000&preset=ministral3",
                         "pos=0:4&floor_scale=2&offset=0&attn_scale=1"),
    .family = PE_BIAS,
    PE_TABLES(struct temperature, params, outputs),
    .check = check,
    .filler = &filler,
};
