/* SPDX-License-Identifier: Apache-2.0
 * attention_sink_window_mask.c - attention to the first keys, the sinks, and to the last ones.
 *
 *     attend iff k <= q and (k < sink_tokens or q - k < window)
 *
 * Xiao et al. 2023, Efficient Streaming Language Models with Attention Sinks.
 */
#include "core/encodings/mask/masks.h"

struct attention_sink_window_mask {
    struct masks masks;
    int64_t sink_tokens, window;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct attention_sink_window_mask, sink_tokens), .type = PE_INT, .min = 0,
     .max = 0x1p53, .preset = 4,
     .summary =
         "first keys, the sinks, that every query attends to (start_size of StreamingLLM)"},
    {PE_FIELD(struct attention_sink_window_mask, window), .type = PE_INT, .required = true,
     .min = 1, .max = 0x1p53,
     .summary = "last keys that a query attends to, its own among them"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "sink_tokens", "window")};

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct attention_sink_window_mask *v = context;

    return key <= query && (key < v->sink_tokens || query - key < v->window);
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct attention_sink_window_mask *v = context;

    if (query - v->window + 1 <= v->sink_tokens) {
        out[0] = (struct mask_span){MASK_FIRST, query};
        return 1;
    }
    out[0] = (struct mask_span){MASK_FIRST, v->sink_tokens - 1};
    out[1] = (struct mask_span){query - v->window + 1, query};
    return 2;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 2};

const struct pe_encoding pe_encoding_attention_sink_window_mask = {
    .name = "attention-sink-window-mask",
    .title = "Attention sinks and window (StreamingLLM)",
    .formula = "attend iff k <= q and (k < sink_tokens or q - k < window)",
    .when_to_use =
        "StreamingLLM keeps the first tokens and the last ones in the cache and drops "
        "the rest, so that a model generates without end. Models trained with windows "
        "only need sliding-window-mask.",
    .what_goes_wrong =
        "The mask says which keys remain, not their positions: StreamingLLM numbers the "
        "keys within the cache, so RoPE needs the positions of the encoding "
        "streaming-llm. A window that leaves the sinks out makes perplexity explode, "
        "although shapes and early tokens are right.",
    .picture = "len=48&sink_tokens=4&window=12&block_size=8",
    .summary = "attention to the first keys and to the last ones",
    .source = "Xiao et al. 2023, Attention Sinks, Efficient Streaming Language Models",
    .examples = PE_WORDS("len=5&sink_tokens=1&window=2", "q=20:21&k=0:21&window=4&out=runs"),
    MASKS_PAIR_HOOKS(struct attention_sink_window_mask),
};
