/* SPDX-License-Identifier: Apache-2.0
 * block_diffusion_mask.c - training of block diffusion on noisy tokens 0 .. len - 1 followed by
 * the clean ones: noisy blocks see themselves and the clean blocks before, clean blocks the
 * clean ones up to themselves.
 *
 *     B(x) = floor((x mod len) / block); attend iff
 *     noisy q, noisy k: B(q) = B(k)     noisy q, clean k: B(k) < B(q)
 *     clean q, noisy k: never           clean q, clean k: B(k) <= B(q)
 *
 * Arriola et al. 2025, Block Diffusion, section 3.3.
 */
#include "core/encodings/mask/masks.h"

struct block_diffusion_mask {
    struct masks masks;
    int64_t block;
};

static const struct pe_param params[] = {
    {PE_FIELD_OF(struct block_diffusion_mask, masks, len), .type = PE_INT, .required = true,
     .min = 0, .max = 0x1p53,
     .summary = "number of tokens; the mask has twice as many queries and keys, noisy ones and "
                "clean ones"},
    {PE_FIELD(struct block_diffusion_mask, block), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53},
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, "len", "block", "attention_mask")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct block_diffusion_mask *v = context;
    const int64_t len = v->masks.len;
    bool clean_query = query >= len, clean_key = key >= len;
    int64_t q = query % len / v->block, k = key % len / v->block;

    if (!clean_key)
        return !clean_query && q == k;
    return clean_query ? k <= q : k < q;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct block_diffusion_mask *v = context;
    const int64_t len = v->masks.len, first = query % len / v->block * v->block;
    const int64_t last = len - first < v->block ? len - 1 : first + v->block - 1;

    if (query >= len) {
        out[0] = (struct mask_span){len, len + last};
        return 1;
    }
    out[0] = (struct mask_span){first, last};
    out[1] = (struct mask_span){len, len + first - 1};
    return 2;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 2};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct block_diffusion_mask *v = values;
    uint64_t both = 2 * (uint64_t)v->masks.len;

    masks_resolve_sizes(&v->masks, &rule, both, both);
}

const struct pe_encoding pe_encoding_block_diffusion_mask = {
    .name = "block-diffusion-mask",
    .title = "Block diffusion mask",
    .formula = "B(x) = floor((x mod len) / block); noisy q attends to noisy k iff B(k) = B(q), "
               "to clean k iff B(k) < B(q); clean q to clean k iff B(k) <= B(q)",
    .when_to_use =
        "Block diffusion models train on the noisy sequence and the clean one side by "
        "side. At generation causal-with-blocks-mask is what remains.",
    .what_goes_wrong =
        "A noisy block that attends to its own clean copy sees the answer: the loss "
        "falls and generation is worthless. Noisy tokens come first here, and both "
        "halves have positions 0:len, not 0:2 len.",
    .picture = "len=24&block=6&block_size=8",
    .summary = "training of block diffusion, noisy and clean tokens",
    .source = "Arriola et al. 2025, Block Diffusion, section 3.3",
    .examples = PE_WORDS("len=4&block=2", "len=5&block=2&out=runs"),
    MASKS_HOOKS(struct block_diffusion_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
