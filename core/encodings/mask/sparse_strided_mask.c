/* SPDX-License-Identifier: Apache-2.0
 * sparse_strided_mask.c - the last keys, and before them every stride-th.
 *
 *     attend iff k <= q and (q - k < stride or (q - k) mod stride = 0)
 *
 * Child et al. 2019, Generating Long Sequences with Sparse Transformers, section 4.2.
 */
#include "core/encodings/mask/masks.h"

struct sparse_strided_mask {
    struct masks masks;
    int64_t stride;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct sparse_strided_mask, stride), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p53, PE_OWN("Child et al. 2019", MASK, BASIC),
     .summary =
         "number of last keys that a query attends to, and step between the keys before them"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "stride")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct sparse_strided_mask *v = context;

    return key <= query && (query - key < v->stride || (query - key) % v->stride == 0);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

const struct pe_encoding pe_encoding_sparse_strided_mask = {
    .name = "sparse-strided-mask",
    .title = "Sparse Transformer, strided pattern",
    .formula = "attend iff k <= q and (q - k < stride or (q - k) mod stride = 0)",
    .when_to_use =
        "Sparse Transformers use it for images and sound, where stride is the width of a "
        "row. Text needs sparse-fixed-mask.",
    .what_goes_wrong =
        "Multiples count from the query, not from position 0: k mod stride = 0 is "
        "another mask. The window has stride keys with the query's own.",
    .picture = "len=48&stride=8",
    .summary = "causal attention to the last keys and every stride-th before",
    .source = "Child et al. 2019, Sparse Transformers, section 4.2",
    .examples = PE_WORDS("len=8&stride=3", "len=6&stride=2&out=runs"),
    MASKS_PAIR_HOOKS(struct sparse_strided_mask),
};
