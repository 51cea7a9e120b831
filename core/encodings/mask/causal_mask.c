/* SPDX-License-Identifier: Apache-2.0
 * causal_mask.c - a query attends to its own key and to the keys before it.
 *
 *     attend iff k <= q
 *
 * Vaswani et al. 2017, section 3.2.3. With fewer queries than keys the last query stands at the
 * last key (transformers, FlashAttention from 2.1), or the first query at the first key
 * (is_causal of PyTorch's scaled_dot_product_attention).
 */
#include "core/encodings/mask/masks.h"

struct causal_mask {
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
    return key <= query;
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    out[0] = (struct mask_span){MASK_FIRST, query};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

const struct pe_encoding pe_encoding_causal_mask = {
    .name = "causal-mask",
    .title = "Causal mask",
    .formula = "attend iff k <= q",
    .when_to_use =
        "Every decoder uses it. With a cache give positions: one query at 127 and keys 0:128.",
    .what_goes_wrong =
        "With fewer queries than keys the libraries differ: is_causal of PyTorch aligns "
        "the first query with the first key, FlashAttention from 2.1 and transformers "
        "align the last with the last (alignment). True attends in PyTorch SDPA and "
        "masks in MultiheadAttention (true_means).",
    .picture = "len=48&block_size=8",
    .summary = "attention to what is not after the query",
    .source = "Vaswani et al. 2017, section 3.2.3; transformers masking_utils.py",
    .examples = PE_WORDS("len=4", "q_len=2&k_len=4", "q_len=2&k_len=4&alignment=top-left",
                         "q=2:4&k=0:4&out=additive&mask_value=-inf"),
    MASKS_PAIR_HOOKS(struct causal_mask),
};
