/* SPDX-License-Identifier: Apache-2.0
 * compressed_block_mask.c - which compressed entries a query sees: an entry stands for `rate`
 * tokens, and is seen once all of them are there.
 *
 *     attend iff w < floor((q + 1) / rate);  entry w is turned as position w rate
 *
 * DeepSeek-V4, compressed and heavily compressed attention: transformers
 * modeling_deepseek_v4.py (commit 019760818965c71b0a4d38e95820ee0b6cee4240),
 * DeepseekV4HCACompressor and DeepseekV4Indexer.
 */
#include "core/encodings/mask/masks.h"

enum { POSITIONS = MASKS_OUTPUT_COUNT };

struct compressed_block_mask {
    struct masks masks;
    int64_t rate;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct compressed_block_mask, rate), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p31, PE_OWN("transformers", MASK, BASIC),
     .summary = "tokens for which an entry stands (compress_rates of DeepSeek-V4: 4 and 128)"},
    {PE_FIELD_OF(struct compressed_block_mask, masks, len), .type = PE_INT, .optional = true,
     .expanded = true, .min = 0, .max = 0x1p53,
     .summary = "number of tokens: queries are at 0:len, and entries those that it fills"},
    {PE_FIELD_OF(struct compressed_block_mask, masks, q), .type = PE_POSITIONS,
     .unit = "positions",
     .summary = "positions of the queries: 0:128, or 127:128 for one step of decoding"},
    {PE_FIELD_OF(struct compressed_block_mask, masks, k), .type = PE_POSITIONS,
     .unit = "entries", .summary = "numbers of the compressed entries, as 0:32"},
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS("len|q&len|k", "len", "q", "k", "rate", "attention_mask"),
    [POSITIONS] = {PE_OUTPUT("positions", PE_I64, "k"), .label = "Positions of the entries",
                   .one_of = "len|k",
                   .summary = "position at which each entry is turned, that of its first token",
                   .uses = PE_WORDS("len", "k", "rate"), .bound = "exact"},
};

/* Returns the number of entries that a query sees. */
static int64_t seen_by(const struct compressed_block_mask *v, int64_t query)
{
    return query < 0 ? 0 : (query + 1) / v->rate;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    return key >= 0 && key < seen_by(context, query);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = (struct mask_span){0, seen_by(context, query) - 1};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static bool wants_mask(const struct pe_args *args)
{
    bool wants = false;

    for (size_t output = 0; output < POSITIONS; output++)
        wants = wants || pe_wants(args, output);
    return wants;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct compressed_block_mask *v = values;
    struct masks *m = &v->masks;
    enum pe_status status = PE_OK;

    if (m->len != PE_ABSENT_INT && (m->q || m->k)) {
        pe_fail(errors, PE_CONFLICT, "len",
                "says the queries and the entries; give len, or q and k");
        return;
    }
    if (m->len != PE_ABSENT_INT) {
        status = pe_args_put_slice(args, offsetof(struct masks, q), 0, m->len, errors);
        if (!status)
            status =
                pe_args_put_slice(args, offsetof(struct masks, k), 0, m->len / v->rate, errors);
        if (status)
            return;
    }
    if (!m->k)
        pe_fail(errors, PE_MISSING_PARAMETER, "k",
                "is required, or len: numbers of the compressed entries");
    if (!m->q && wants_mask(args))
        pe_fail(errors, PE_MISSING_PARAMETER, "q",
                "is required, or len: positions of the queries");
    masks_resolve_sizes(m, &rule, m->q ? pe_positions_count(m->q) : 0,
                        m->k ? pe_positions_count(m->k) : 0);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct compressed_block_mask *v = values;
    double low, high;

    pe_positions_range(v->masks.k, &low, &high);
    if (v->masks.keys > 0 && (low < 0 || high >= 0x1p53 / (double)v->rate))
        pe_fail(errors, PE_OUT_OF_RANGE, "k",
                "must be numbers of entries, 0..%.0f at this rate; got %.0f",
                0x1p53 / (double)v->rate - 1, low < 0 ? low : high);
    masks_check(args, values, errors);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    return output == POSITIONS ? (struct pe_interval){0, 0x1p53}
                               : masks_range(args, values, output);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct compressed_block_mask *v = values;

    if (output != POSITIONS)
        return masks_shape(args, values, output, dims);
    dims[0] = v->masks.keys;
    return 1;
}

static double position_at(const void *state, uint64_t row, uint64_t col,
                          const void *const input[])
{
    const struct compressed_block_mask *v = state;

    return pe_positions_at(v->masks.k, col) * (double)v->rate;
}

static const struct pe_filler positions_filler = {.element = position_at, .ns_per_element = 4};

static void prepare(struct pe_build *build, const void *values)
{
    pe_build_fill(build, POSITIONS, &positions_filler, values);
    if (wants_mask(pe_build_args(build)))
        masks_prepare(build, values);
}

const struct pe_encoding pe_encoding_compressed_block_mask = {
    .name = "compressed-block-mask",
    .title = "Mask of compressed entries (DeepSeek-V4)",
    .formula = "attend iff w < floor((q + 1) / rate); position of entry w = w rate",
    .when_to_use =
        "DeepSeek-V4 gives a layer compressed entries beside the keys of its sliding window: "
        "the mask of a layer is that of the window and this one, side by side. At rate 128 a "
        "query sees all of these entries, at rate 4 those of them that an indexer picks.",
    .what_goes_wrong =
        "An entry is seen by the last of its own tokens already: floor(q / rate) is late by "
        "one token a block. Keys are turned as the first token of their block, not as its last "
        "or its number, and outputs are turned back by the query's angle.",
    .picture = "len=48&rate=4&block_size=8",
    .summary = "compressed entries, each seen once all of its tokens are there",
    .source = "DeepSeek-V4; transformers modeling_deepseek_v4.py",
    .examples =
        PE_WORDS("len=12&rate=4", "q=511:513&k=0:4&rate=128", "k=0:4&rate=128&out=positions"),
    .family = PE_MASK,
    PE_TABLES_OF(struct compressed_block_mask, masks, params, outputs),
    .resolve = resolve,
    .check = check,
    .range = range,
    .shape = shape,
    .plan_ns = masks_plan_ns,
    .prepare = prepare,
};
