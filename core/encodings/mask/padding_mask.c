/* SPDX-License-Identifier: Apache-2.0
 * padding_mask.c - in padded batches no query attends to padding.
 *
 *     attend iff attention_mask[batch][k] = 1, and k <= q if causal
 *
 * Axes are (batch, 1, q, k), as transformers makes of a 2-D attention_mask. With padding on the
 * left, causal rows of padding see nothing: fully_masked says what they become.
 */
#include "core/encodings/mask/masks.h"

struct padding_mask {
    struct masks masks;
    struct pe_reals attention_mask;
    bool causal;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct padding_mask, attention_mask), .type = PE_REALS, .matrix = true,
     .required = true, .max = 1},
    {PE_FIELD(struct padding_mask, causal), .type = PE_BOOL, .preset = 1,
     .summary = "a query attends to no key after it"},
    {PE_FIELD_OF(struct padding_mask, masks, q), .type = PE_POSITIONS, .unit = "positions",
     .summary = "positions of the queries; by default all positions of the keys"},
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, "attention_mask", "causal", "q")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct padding_mask *v = context;

    return !v->causal || key <= query;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct padding_mask *v = context;

    out[0] = (struct mask_span){MASK_FIRST, v->causal ? query : MASK_LAST};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct padding_mask *v = values;
    uint64_t keys = v->attention_mask.cols;

    if (!v->masks.q)
        pe_args_put_slice(args, offsetof(struct masks, q), 0, (int64_t)keys, errors);
    if (errors->count > 0)
        return;
    v->masks.keep = &v->attention_mask;
    masks_resolve_sizes(&v->masks, &rule, pe_positions_count(v->masks.q), keys);
}

const struct pe_encoding pe_encoding_padding_mask = {
    .name = "padding-mask",
    .title = "Padding mask",
    .formula = "attend iff attention_mask[sequence][k] = 1, and k <= q if causal",
    .when_to_use =
        "It is what transformers makes of the 2-D attention_mask of a tokenizer for a "
        "padded batch: axes (batch, 1, q, k).",
    .what_goes_wrong =
        "With padding on the left the first rows of a causal mask see no key, and a "
        "softmax over -inf gives NaN: fully_masked says what such rows become. Positions "
        "must skip the padding too (ids-from-mask).",
    .picture =
        "attention_mask=0,0,0,0,0,0,0,0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1,1,1,1,1,1,1,1&block_size=8",
    .summary = "no attention to the padding of a batch",
    .source = "transformers masking_utils.py; PyTorch key_padding_mask",
    .examples = PE_WORDS("attention_mask=0,1,1", "attention_mask=0,1,1;1,1,1&causal=0",
                         "attention_mask=0,1,1,1;1,1,1,1&q=3&out=additive",
                         "attention_mask=0,0,1&fully_masked=unmask_all"),
    MASKS_HOOKS(struct padding_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
