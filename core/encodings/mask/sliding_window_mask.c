/* SPDX-License-Identifier: Apache-2.0
 * sliding_window_mask.c - the last keys only.
 *
 *     exclusive: attend iff k <= q and q - k < window: window keys with the query's own
 *     inclusive: attend iff k <= q and q - k <= window: one more
 *     flash:     attend iff q - left <= k <= q + right, -1 is no bound
 *
 * Beltagy et al. 2020, Longformer; Jiang et al. 2023, Mistral 7B. transformers, llama.cpp and
 * MLX are exclusive, attention-gym is inclusive, FlashAttention takes (left, right).
 */
#include "core/encodings/mask/masks.h"

struct sliding_window_mask {
    struct masks masks;
    int convention;
    int64_t window, left, right;
};

enum { EXCLUSIVE, INCLUSIVE, FLASH };

static const struct pe_param params[] = {
    {PE_FIELD(struct sliding_window_mask, window), .type = PE_INT, .required = true, .min = -1,
     .max = 0x1p53, .when = "!convention=flash",
     .summary = "number of keys that a query attends to, which convention counts "
                "(sliding_window); 0 or -1: no bound"},
    {PE_FIELD(struct sliding_window_mask, convention),
     PE_CHOICES(
         [EXCLUSIVE] =
             {"exclusive", PE_WORDS("hf"),
              "window keys, the query's own among them: transformers, Mistral, llama.cpp, MLX",
              NULL, NULL},
         PE_ONE_AT(INCLUSIVE, "inclusive",
                   "window keys before the query and its own: attention-gym"),
         PE_ONE_AT_WITH(FLASH, "flash",
                        "left keys before the query and right keys after it: window_size of "
                        "FlashAttention",
                        "window=&left=8&right=0")),
     .summary = "whether the window counts the query's own key, or left and right are given"},
    {PE_FIELD(struct sliding_window_mask, left), .type = PE_INT, .required = true, .min = -1,
     .max = 0x1p53, .when = "convention=flash", PE_OWN("FlashAttention", MASK, BASIC),
     .summary = "number of keys before the query that it attends to; -1: no bound"},
    {PE_FIELD(struct sliding_window_mask, right), .type = PE_INT, .min = -1, .max = 0x1p53,
     .when = "convention=flash", PE_OWN("FlashAttention", MASK, BASIC),
     .summary = "number of keys after the query that it attends to; -1: no bound"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(
    MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "window", "convention", "left", "right")};

/* Counts of keys before and after the query, -1 for no bound. */
static int64_t before(const struct sliding_window_mask *v)
{
    if (v->convention == FLASH)
        return v->left;
    if (v->window <= 0)
        return -1;
    return v->convention == EXCLUSIVE ? v->window - 1 : v->window;
}

static int64_t after(const struct sliding_window_mask *v)
{
    return v->convention == FLASH ? v->right : 0;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct sliding_window_mask *v = context;

    return (before(v) < 0 || query - key <= before(v)) &&
           (after(v) < 0 || key - query <= after(v));
}

static size_t spans(const void *context, uint64_t batch, int64_t query,
                    struct mask_span out[MASK_MOST_SPANS])
{
    const struct sliding_window_mask *v = context;

    out[0].first = before(v) < 0 ? MASK_FIRST : query - before(v);
    out[0].last = after(v) < 0 ? MASK_LAST : query + after(v);
    return 1;
}

static const struct mask_rule rule = {.sees = sees, .spans = spans, .most = 1};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct sliding_window_mask *v = values;

    masks_resolve(args, &v->masks, &rule, -1, errors);
}

const struct pe_encoding pe_encoding_sliding_window_mask = {
    .name = "sliding-window-mask",
    .title = "Sliding window mask",
    .formula = "exclusive: attend iff k <= q and q - k < window; inclusive: iff k <= q and q - "
               "k <= window; flash: iff q - left <= k <= q + right",
    .when_to_use =
        "Mistral, Gemma 2 and 3 and many others use it in some layers: the cache needs "
        "no more than window keys.",
    .what_goes_wrong =
        "Libraries differ by one key: window counts the query itself in transformers, "
        "llama.cpp and MLX, and does not in attention-gym; FlashAttention takes (window "
        "- 1, 0). The difference shows only beyond the window.",
    .picture = "len=48&window=12&block_size=8",
    .summary = "attention to the last keys only",
    .source = "Jiang et al. 2023, Mistral 7B; transformers masking_utils.py; FlashAttention",
    .examples = PE_WORDS("len=5&window=3", "len=5&window=2&convention=inclusive",
                         "q=127:128&k=0:128&window=16&out=runs",
                         "len=6&convention=flash&left=2&right=1&out=additive"),
    MASKS_HOOKS(struct sliding_window_mask),
    .resolve = resolve,
    .prepare = masks_prepare,
};
