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
    MASKS_PAIR_ROWS(struct bidirectional_mask, masks),
    MASKS_PADDING_ROW(struct bidirectional_mask, masks),
    MASKS_ROWS(struct bidirectional_mask, masks),
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(MASKS_PAIRS_PADDED)};

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

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    masks_resolve(args, values, &rule, -1, errors);
}

const struct pe_encoding pe_encoding_bidirectional_mask = {
    .name = "bidirectional-mask",
    .summary = "attention to every key, but padding",
    .source = "Devlin et al. 2019, BERT; transformers masking_utils.py",
    .examples = PE_WORDS("len=3", "q_len=2&k_len=3&padding=0,1,1;1,1,1",
                         "len=8&out=blocks&block_size=4"),
    MASKS_HOOKS(struct bidirectional_mask),
    .resolve = resolve,
    .check = masks_check,
    .prepare = masks_prepare,
};
