/* SPDX-License-Identifier: Apache-2.0
 * sparse_fixed_mask.c - the query's block, and the last keys of each block before.
 *
 *     attend iff k <= q and (floor(q / stride) = floor(k / stride) or
 *                            k mod stride >= stride - summary)
 *
 * Child et al. 2019, Generating Long Sequences with Sparse Transformers, section 4.2.
 */
#include "core/encodings/mask/masks.h"

struct sparse_fixed_mask {
    struct masks masks;
    int64_t stride, summary;
};
_Static_assert(offsetof(struct sparse_fixed_mask, masks) == 0,
               "hooks of masks.h read it there");

static const struct pe_param params[] = {
    {PE_FIELD(struct sparse_fixed_mask, stride), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53, .summary = "positions of a block"},
    {PE_FIELD(struct sparse_fixed_mask, summary), .type = PE_INT, .min = 1, .max = 0x1p53,
     .preset = 1, .summary = "keys at the end of each block that all after it see"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_PADDED, "stride", "summary")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct sparse_fixed_mask *v = context;

    return key <= query &&
           (masks_floor(query, v->stride) == masks_floor(key, v->stride) ||
            key - masks_floor(key, v->stride) * v->stride >= v->stride - v->summary);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct sparse_fixed_mask *v = values;

    if (v->summary > v->stride)
        pe_fail(errors, PE_CONFLICT, "summary", "must be at most stride, %lld; got %lld",
                (long long)v->stride, (long long)v->summary);
    else
        masks_resolve(args, values, &rule, -1, errors);
}

const struct pe_encoding pe_encoding_sparse_fixed_mask = {
    .name = "sparse-fixed-mask",
    .summary = "causal attention to the block and to summaries of blocks before",
    .source = "Child et al. 2019, Sparse Transformers, section 4.2",
    .examples = PE_WORDS("len=8&stride=4", "len=8&stride=4&summary=2"),
    MASKS_HOOKS(struct sparse_fixed_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
