/* SPDX-License-Identifier: Apache-2.0
 * bidirectional_mask.c - every query attends to every key but padding, as in encoders.
 *
 * Devlin et al. 2019, BERT.
 */
#include "core/encodings/mask/masks.h"

struct bidirectional_mask {
    struct masks masks;
};

static const struct pe_param params[] = {
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED)};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    return true;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = (struct mask_span){MASK_FIRST, MASK_LAST};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

const struct pe_encoding pe_encoding_bidirectional_mask = {
    .name = "bidirectional-mask",
    .title = "Bidirectional mask",
    .formula = "attend iff attention_mask[sequence][k] = 1; without attention_mask always",
    .when_to_use =
        "Encoders such as BERT and ViT attend to all tokens but padding. Decoders need "
        "causal-mask.",
    .what_goes_wrong =
        "A row of padding still attends to the real tokens: its results must be ignored, "
        "not trusted. key_padding_mask of MultiheadAttention is true where PyTorch SDPA "
        "is false (true_means).",
    .picture =
        "len=32&attention_mask=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0,0,0,0,0,0,"
        "0,0,0&block_size=8",
    .summary = "attention to every key, but padding",
    .source = "Devlin et al. 2019, BERT; transformers masking_utils.py",
    .examples = PE_WORDS("len=3", "q_len=2&k_len=3&attention_mask=0,1,1;1,1,1",
                         "len=8&out=blocks&block_size=4"),
    MASKS_PAIR_HOOKS(struct bidirectional_mask),
};
