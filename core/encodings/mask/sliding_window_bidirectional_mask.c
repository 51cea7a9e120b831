/* SPDX-License-Identifier: Apache-2.0
 * sliding_window_bidirectional_mask.c - keys near the query, on both sides.
 *
 *     hf:         attend iff |q - k| <= window: 2 window + 1 keys
 *     llamacpp:   attend iff |q - k| <= floor(window / 2)
 *     longformer: as llamacpp, of an even window
 *
 * transformers masking_utils.py; llama.cpp's symmetric window; Beltagy et al. 2020, Longformer;
 * local_attention of ModernBERT.
 */
#include "core/encodings/mask/masks.h"

struct sliding_window_bidirectional_mask {
    struct masks masks;
    int convention;
    int64_t window;
};

enum { HF, LLAMACPP, LONGFORMER };

static const struct pe_param params[] = {
    {PE_FIELD(struct sliding_window_bidirectional_mask, window), .type = PE_INT,
     .required = true, .min = 1, .max = 0x1p53,
     .summary = "size of the window, which convention counts in keys on one side or on both"},
    {PE_FIELD(struct sliding_window_bidirectional_mask, convention),
     PE_CHOICES(PE_ONE_AT(HF, "hf", "Hugging Face: window keys on each side of the query"),
                PE_ONE_AT(LLAMACPP, "llamacpp",
                          "llama.cpp: half of the window on each side, rounded down"),
                PE_ONE_AT(LONGFORMER, "longformer",
                          "Longformer: half of the window, which must be even, on each side")),
     .summary = "library whose way of counting the window is followed"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "window", "convention")};

static int64_t side(const struct sliding_window_bidirectional_mask *v)
{
    return v->convention == HF ? v->window : v->window / 2;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct sliding_window_bidirectional_mask *v = context;

    return query - key <= side(v) && key - query <= side(v);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct sliding_window_bidirectional_mask *v = context;

    out[0] = (struct mask_span){query - side(v), query + side(v)};
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct sliding_window_bidirectional_mask *v = values;

    if (v->convention == LONGFORMER && v->window % 2 == 1)
        pe_fail(errors, PE_CONFLICT, "window",
                "must be even with convention=longformer; got %lld", (long long)v->window);
    else
        masks_resolve(args, values, &rule, -1, errors);
}

const struct pe_encoding pe_encoding_sliding_window_bidirectional_mask = {
    .name = "sliding-window-bidirectional-mask",
    .title = "Bidirectional sliding window",
    .formula = "hf: attend iff |q - k| <= window; llamacpp, longformer: iff |q - k| <= "
               "floor(window / 2)",
    .when_to_use =
        "ModernBERT and EmbeddingGemma attend to tokens on both sides within a window. "
        "Decoders need sliding-window-mask.",
    .what_goes_wrong =
        "The same number means twice as many keys in transformers as in llama.cpp and "
        "Longformer. ModernBERT divides local_attention by 2 before it gives it to "
        "transformers.",
    .picture = "len=48&window=6&block_size=8",
    .summary = "attention to keys near the query, on both sides",
    .source = "transformers masking_utils.py; llama.cpp; Beltagy et al. 2020, Longformer",
    .examples = PE_WORDS("len=4&window=1", "len=6&window=4&convention=longformer",
                         "len=6&window=3&convention=llamacpp&out=runs"),
    MASKS_HOOKS(struct sliding_window_bidirectional_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
