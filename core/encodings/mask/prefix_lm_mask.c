/* SPDX-License-Identifier: Apache-2.0
 * prefix_lm_mask.c - a prefix that attends to itself in both directions, then causal attention.
 *
 *     attend iff k < prefix_len or k <= q
 *
 * Dong et al. 2019, UniLM; Raffel et al. 2020, T5, section 3.2; GLM, PaliGemma.
 */
#include "core/encodings/mask/masks.h"

struct prefix_lm_mask {
    struct masks masks;
    const struct pe_positions *prefix_len;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct prefix_lm_mask, prefix_len), .type = PE_POSITIONS, .required = true,
     .summary = "number of tokens of the prefix, which every query attends to: one number, or "
                "one a sequence"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "prefix_len")};

static int64_t prefix_of(const struct prefix_lm_mask *v, uint64_t batch)
{
    return (int64_t)pe_positions_at(v->prefix_len,
                                    pe_positions_count(v->prefix_len) > 1 ? batch : 0);
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct prefix_lm_mask *v = context;

    return key <= query || key < prefix_of(v, batch);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct prefix_lm_mask *v = context;
    int64_t prefix = prefix_of(v, batch);

    out[0] = (struct mask_span){MASK_FIRST, query > prefix - 1 ? query : prefix - 1};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct prefix_lm_mask *v = values;

    if (pe_positions_count(v->prefix_len) == 0)
        pe_fail(errors, PE_BAD_VALUE, "prefix_len", "must have a number, such as 2");
    else
        masks_resolve_list(args, &v->masks, &rule, "prefix_len", v->prefix_len, errors);
}

const struct pe_encoding pe_encoding_prefix_lm_mask = {
    .name = "prefix-lm-mask",
    .title = "Prefix LM mask",
    .formula = "attend iff k < prefix_len or k <= q",
    .when_to_use =
        "UniLM, T5 prefix language models, GLM and PaliGemma read the prompt in both "
        "directions and write causally.",
    .what_goes_wrong =
        "prefix_len is a count, so the last token of the prefix is prefix_len - 1. A "
        "batch has a prefix length for each sequence; one number for all is wrong as "
        "soon as lengths differ.",
    .picture = "len=48&prefix_len=14&block_size=8",
    .summary = "a prefix that attends both ways, then causal attention",
    .source = "Dong et al. 2019, UniLM; Raffel et al. 2020, T5, section 3.2",
    .examples = PE_WORDS("len=4&prefix_len=2", "len=4&prefix_len=0,1,2",
                         "q=4:6&k=0:6&prefix_len=3&out=additive"),
    MASKS_HOOKS(struct prefix_lm_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
