/* SPDX-License-Identifier: Apache-2.0
 * dilated_mask.c - a window with gaps.
 *
 *     attend iff |q - k| <= half_window dilation and (q - k) mod dilation = 0
 *
 * Beltagy et al. 2020, Longformer, section 3.1.
 */
#include "core/encodings/mask/masks.h"

struct dilated_mask {
    struct masks masks;
    int64_t half_window, dilation;
    bool causal;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct dilated_mask, half_window), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p26, .summary = "number of keys on each side that a query attends to"},
    {PE_FIELD(struct dilated_mask, dilation), .type = PE_INT, .min = 1, .max = 0x1p26,
     .preset = 1, .summary = "step between two keys of the window; 1: no gaps"},
    {PE_FIELD(struct dilated_mask, causal), .type = PE_BOOL,
     .summary = "a query attends to no key after it"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "half_window", "dilation", "causal")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct dilated_mask *v = context;

    return (query >= key || !v->causal) && (query - key) % v->dilation == 0 &&
           query - key <= v->half_window * v->dilation &&
           key - query <= v->half_window * v->dilation;
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

const struct pe_encoding pe_encoding_dilated_mask = {
    .name = "dilated-mask",
    .title = "Dilated window mask",
    .formula = "attend iff |q - k| <= half_window dilation and (q - k) mod dilation = 0",
    .when_to_use = "Longformer reaches far with few keys by leaving gaps; the dilation differs "
                   "between heads. dilation=1 is sliding-window-bidirectional-mask.",
    .what_goes_wrong =
        "half_window counts keys on one side, so the reach is half_window times dilation "
        "positions. Longformer names the whole window, attention_window, which is twice "
        "half_window.",
    .picture = "len=48&half_window=5&dilation=3&block_size=8",
    .summary = "attention to a window with gaps",
    .source = "Beltagy et al. 2020, Longformer, section 3.1",
    .examples =
        PE_WORDS("len=7&half_window=1&dilation=2", "len=5&half_window=2&causal=1&dilation=2"),
    MASKS_PAIR_HOOKS(struct dilated_mask),
};
