/* SPDX-License-Identifier: Apache-2.0
 * causal_with_blocks_mask.c - causal between blocks such as frames, bidirectional within one.
 *
 *     attend iff floor(k / block) <= floor(q / block)
 *
 * Block-causal attention of V-JEPA 2-AC (a block is a frame) and of block diffusion.
 */
#include "core/encodings/mask/masks.h"

struct causal_with_blocks_mask {
    struct masks masks;
    int64_t block;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct causal_with_blocks_mask, block), .type = PE_INT, .required = true,
     .min = 1, .max = 0x1p40},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "block")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct causal_with_blocks_mask *v = context;

    return masks_floor(key, v->block) <= masks_floor(query, v->block);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct causal_with_blocks_mask *v = context;

    out[0].first = MASK_FIRST;
    out[0].last = (masks_floor(query, v->block) + 1) * v->block - 1;
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

const struct pe_encoding pe_encoding_causal_with_blocks_mask = {
    .name = "causal-with-blocks-mask",
    .title = "Block-causal mask",
    .formula = "attend iff floor(k / block) <= floor(q / block)",
    .when_to_use = "Video models such as V-JEPA 2-AC (a block is a frame) and block diffusion "
                   "models attend within a block in both directions and to all blocks before.",
    .what_goes_wrong =
        "Blocks count from position 0, so a cache that begins in the middle of a block "
        "needs true positions in q and k. Extra tokens of a frame, such as actions, "
        "belong to its block.",
    .picture = "len=48&block=8&block_size=12",
    .summary = "causal between blocks, both ways within a block",
    .source = "V-JEPA 2-AC; Arriola et al. 2025, Block Diffusion",
    .examples = PE_WORDS("len=4&block=2", "len=9&block=3&out=runs"),
    MASKS_PAIR_HOOKS(struct causal_with_blocks_mask),
};
