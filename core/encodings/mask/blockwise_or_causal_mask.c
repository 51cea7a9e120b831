/* SPDX-License-Identifier: Apache-2.0
 * blockwise_or_causal_mask.c - causal, but the tokens of one block (an image) see each other.
 *
 *     attend iff (k <= q or id[q] = id[k] >= 0) and q - k < window, if there is one
 *
 * Gemma 3 and PaliGemma: blockwise_overlay of transformers masking_utils.py; the sliding layers
 * of Gemma 3 bound both by a window. Positions that have no id are ordinary tokens, -1.
 */
#include "core/encodings/mask/masks.h"

enum { IDS_MOST = 4 << 20 };

struct blockwise_or_causal_mask {
    struct masks masks;
    const struct pe_positions *block_ids;
    int64_t window;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct blockwise_or_causal_mask, block_ids), .type = PE_POSITIONS,
     .required = true, PE_OWN("transformers", MASK, BASIC),
     .summary = "block (image) of each position, -1 for tokens of text: -1,0,0,-1"},
    {PE_FIELD(struct blockwise_or_causal_mask, window), .type = PE_INT, .min = -1,
     .max = 0x1p53,
     .summary = "number of keys up to its own that a query attends to, in a block too "
                "(sliding_window); 0 or -1: no bound"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, MASKS_PAIRS_PADDED, "block_ids", "window")};

struct blocks {
    const int64_t *ids;
    uint64_t count;
    int64_t window; /* 0: none */
};

static int64_t id_of(const struct blocks *blocks, int64_t position)
{
    return position >= 0 && (uint64_t)position < blocks->count ? blocks->ids[position] : -1;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct blocks *blocks = context;
    int64_t id = key > query ? id_of(context, query) : 0;

    if (blocks->window > 0 && query - key >= blocks->window)
        return false;
    return key <= query || (id >= 0 && id == id_of(context, key));
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct blockwise_or_causal_mask *v = values;
    uint64_t count = pe_positions_count(v->block_ids);

    if (count > IDS_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, "block_ids", "must have at most %d numbers; got %llu",
                IDS_MOST, (unsigned long long)count);
    else
        masks_resolve(args, &v->masks, &rule, (int64_t)count, errors);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct blockwise_or_causal_mask *v = values;
    struct blocks *blocks = pe_build_alloc(build, sizeof *blocks);

    if (blocks)
        *blocks = (struct blocks){masks_list(build, v->block_ids),
                                  pe_positions_count(v->block_ids), v->window};
    masks_prepare_rule(build, &v->masks, blocks && blocks->ids ? blocks : NULL);
}

const struct pe_encoding pe_encoding_blockwise_or_causal_mask = {
    .name = "blockwise-or-causal-mask",
    .title = "Causal mask with bidirectional images",
    .formula = "attend iff (k <= q or block_ids[q] = block_ids[k] >= 0) and q - k < window",
    .when_to_use =
        "Gemma 3 and PaliGemma let the tokens of one image attend to each other while "
        "text stays causal. transformers builds it with blockwise_overlay. The sliding layers "
        "of Gemma 3 bound it by window.",
    .what_goes_wrong =
        "A purely causal mask gives the right shapes and plausible text, and wrong image "
        "features. Two images side by side need two numbers, or they see each other.",
    .picture =
        "block_ids=-1,-1,-1,-1,-1,-1,0,0,0,0,0,0,0,0,0,0,-1,-1,-1,-1,-1,-1,-1,-1,1,1,1,1,"
        "1,1,1,1,1,1,-1,-1,-1,-1,-1,-1&block_size=8",
    .summary = "causal attention, and both ways within blocks such as images",
    .source = "Gemma 3, PaliGemma; transformers masking_utils.py",
    .examples = PE_WORDS("block_ids=-1,0,0,-1", "block_ids=-1,0,0,1,1&out=additive",
                         "block_ids=-1,0,0,-1&q=1:3&k=0:6", "block_ids=-1,0,0,-1,-1&window=2"),
    MASKS_HOOKS(struct blockwise_or_causal_mask),
    .resolve = resolve,
    .prepare = prepare,
};
