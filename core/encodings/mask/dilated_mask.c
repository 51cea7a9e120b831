/* SPDX-License-Identifier: Apache-2.0
 * dilated_mask.c - a window with gaps.
 *
 *     attend iff |q - k| <= window dilation and (q - k) mod dilation = 0
 *
 * Beltagy et al. 2020, Longformer, section 3.1.
 */
#include "core/encodings/mask/masks.h"

struct dilated_mask {
    struct masks masks;
    int64_t window, dilation;
    bool causal;
};
_Static_assert(offsetof(struct dilated_mask, masks) == 0, "hooks of masks.h read it there");

static const struct pe_param params[] = {
    {PE_FIELD(struct dilated_mask, window), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p26, .summary = "keys on each side"},
    {PE_FIELD(struct dilated_mask, dilation), .type = PE_INT, .min = 1, .max = 0x1p26,
     .preset = 1, .summary = "distance of two keys of the window"},
    {PE_FIELD(struct dilated_mask, causal), .type = PE_BOOL, .summary = "the future is no key"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_PADDED, "window", "dilation", "causal")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct dilated_mask *v = context;

    return (query >= key || !v->causal) && (query - key) % v->dilation == 0 &&
           query - key <= v->window * v->dilation && key - query <= v->window * v->dilation;
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

const struct pe_encoding pe_encoding_dilated_mask = {
    .name = "dilated-mask",
    .summary = "attention to a window with gaps",
    .source = "Beltagy et al. 2020, Longformer, section 3.1",
    .examples = PE_WORDS("len=7&window=1&dilation=2", "len=5&window=2&causal=1&dilation=2"),
    MASKS_PAIR_HOOKS(struct dilated_mask),
};
