/* SPDX-License-Identifier: Apache-2.0
 * sparse_fixed_mask.c - the query's block, and the last keys of each block before.
 *
 *     attend iff k <= q and (floor(q / block) = floor(k / block) or
 *                            k mod block >= block - summary_keys)
 *
 * Child et al. 2019, Generating Long Sequences with Sparse Transformers, section 4.2.
 */
#include "core/encodings/mask/masks.h"

struct sparse_fixed_mask {
    struct masks masks;
    int64_t block, summary_keys;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct sparse_fixed_mask, block), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53, .summary = "tokens of a block (stride in the paper)"},
    {PE_FIELD(struct sparse_fixed_mask, summary_keys), .type = PE_INT, .min = 1, .max = 0x1p53,
     .preset = 1, PE_OWN("Child et al. 2019", MASK, BASIC),
     .summary =
         "number of keys at the end of each block that all later queries attend to (c in "
         "the paper)"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "block", "summary_keys")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct sparse_fixed_mask *v = context;

    return key <= query &&
           (masks_floor(query, v->block) == masks_floor(key, v->block) ||
            key - masks_floor(key, v->block) * v->block >= v->block - v->summary_keys);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct sparse_fixed_mask *v = values;

    if (v->summary_keys > v->block)
        pe_fail(errors, PE_CONFLICT, "summary_keys", "must be at most block, %lld; got %lld",
                (long long)v->block, (long long)v->summary_keys);
    else
        masks_resolve(args, values, &rule, -1, errors);
}

const struct pe_encoding pe_encoding_sparse_fixed_mask = {
    .name = "sparse-fixed-mask",
    .title = "Sparse Transformer, fixed pattern",
    .formula = "attend iff k <= q and (floor(q / block) = floor(k / block) or k mod block >= "
               "block - summary_keys)",
    .when_to_use =
        "Sparse Transformers use it for text, where no regular period exists; the last "
        "keys of each block summarize it for later ones.",
    .what_goes_wrong =
        "The paper splits the two patterns over heads, here one mask has both. Blocks "
        "count from position 0, so positions of a cache must be true positions.",
    .picture = "len=48&block=8&summary_keys=2",
    .summary = "causal attention to the block and to summaries of blocks before",
    .source = "Child et al. 2019, Sparse Transformers, section 4.2",
    .examples = PE_WORDS("len=8&block=4", "len=8&block=4&summary_keys=2"),
    MASKS_HOOKS(struct sparse_fixed_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
