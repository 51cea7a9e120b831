/* SPDX-License-Identifier: Apache-2.0
 * chunked_mask.c - causal attention within chunks.
 *
 *     attend iff k <= q and floor((q - p) / chunk) = floor((k - p) / chunk)
 *
 * p is the left padding of the sequence. attention_chunk_size of Llama 4, chunked_overlay of
 * transformers masking_utils.py; llama.cpp's chunked window.
 */
#include "core/encodings/mask/masks.h"

struct chunked_mask {
    struct masks masks;
    int64_t chunk;
    const struct pe_positions *left_padding;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct chunked_mask, chunk), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53, .summary = "tokens of a chunk (attention_chunk_size of Llama 4)"},
    {PE_FIELD(struct chunked_mask, left_padding), .type = PE_POSITIONS,
     PE_OWN("transformers", MASK, ADVANCED),
     .summary = "tokens of padding before the first chunk: one number, or one a sequence; 0 by "
                "default"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "chunk", "left_padding")};

/* Returns the position at which the query's chunk begins. */
static int64_t begin(const struct chunked_mask *v, uint64_t batch, int64_t query)
{
    uint64_t count = v->left_padding ? pe_positions_count(v->left_padding) : 0;
    int64_t padding = 0;

    if (count > 0)
        padding = (int64_t)pe_positions_at(v->left_padding, count > 1 ? batch : 0);
    return masks_floor(query - padding, v->chunk) * v->chunk + padding;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct chunked_mask *v = context;

    return key <= query && key >= begin(v, batch, query);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct chunked_mask *v = context;

    out[0] = (struct mask_span){begin(v, batch, query), query};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct chunked_mask *v = values;

    masks_resolve_list(args, &v->masks, &rule, "left_padding", v->left_padding, errors);
}

const struct pe_encoding pe_encoding_chunked_mask = {
    .name = "chunked-mask",
    .title = "Chunked causal mask (Llama 4)",
    .formula = "attend iff k <= q and floor((q - left_padding) / chunk) = floor((k - "
               "left_padding) / chunk)",
    .when_to_use =
        "Llama 4 uses it in the layers with RoPE, 8,192 tokens a chunk; its other layers "
        "have no position at all and attend to everything before.",
    .what_goes_wrong =
        "The first token of a chunk sees only itself: a sliding window of the same size "
        "is a different mask. With padding on the left the chunks begin at the first "
        "token, not at column 0.",
    .picture = "len=48&chunk=12&block_size=8",
    .summary = "causal attention within chunks",
    .source = "Llama 4; transformers masking_utils.py; llama.cpp",
    .examples =
        PE_WORDS("len=4&chunk=2", "len=6&chunk=4&left_padding=1,2", "len=6&chunk=3&out=runs"),
    MASKS_HOOKS(struct chunked_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
