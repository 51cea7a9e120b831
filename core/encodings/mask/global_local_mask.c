/* SPDX-License-Identifier: Apache-2.0
 * global_local_mask.c - a window, and a few tokens that see all and are seen by all.
 *
 *     attend iff |q - k| <= half_window or k in global_tokens or q in global_tokens, and
 *     k <= q if causal
 *
 * Beltagy et al. 2020, Longformer, section 3.1; Zaheer et al. 2020, Big Bird (ETC).
 */
#include <math.h>
#include <stdlib.h>

#include "core/encodings/mask/masks.h"

enum { GLOBALS_MOST = 1 << 16 };

struct global_local_mask {
    struct masks masks;
    int64_t half_window;
    const struct pe_positions *global_tokens;
    bool causal;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct global_local_mask, half_window), .type = PE_INT, .required = true,
     .min = 0, .max = 0x1p53,
     .summary = "number of keys on each side that a query attends to; half of Longformer's "
                "attention_window"},
    {PE_FIELD(struct global_local_mask, global_tokens), .type = PE_POSITIONS,
     PE_OWN("Beltagy et al. 2020", MASK, BASIC),
     .summary = "positions that attend to all and that all attend to, as 0 or 0,7,8"},
    {PE_FIELD(struct global_local_mask, causal), .type = PE_BOOL,
     .summary = "a query attends to no key after it"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {MASKS_OUTPUTS(
    MASKS_PAIRS_ONE_OF, MASKS_PAIRS_PADDED, "half_window", "global_tokens", "causal")};

struct globals {
    const struct global_local_mask *values;
    int64_t *sorted;
    uint64_t count;
};

static int compare(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;

    return (one > other) - (one < other);
}

static bool is_global(const struct globals *globals, int64_t position)
{
    return globals->count > 0 && bsearch(&position, globals->sorted, globals->count,
                                         sizeof position, compare) != NULL;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct globals *globals = context;
    const struct global_local_mask *v = globals->values;

    if (v->causal && key > query)
        return false;
    return (query - key <= v->half_window && key - query <= v->half_window) ||
           is_global(globals, key) || is_global(globals, query);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct global_local_mask *v = values;
    uint64_t count = v->global_tokens ? pe_positions_count(v->global_tokens) : 0;

    if (count > GLOBALS_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, "global_tokens",
                "must have at most %d positions; got %llu", GLOBALS_MOST,
                (unsigned long long)count);
    else
        masks_resolve(args, &v->masks, &rule, -1, errors);
    v->masks.look_ns = 6 + 2 * log2(1 + (double)count); /* two searches among the globals */
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct global_local_mask *v = values;
    struct globals *globals = pe_build_alloc(build, sizeof *globals);

    if (globals)
        *globals =
            (struct globals){v, masks_list(build, v->global_tokens),
                             v->global_tokens ? pe_positions_count(v->global_tokens) : 0};
    if (!globals || !globals->sorted)
        return;
    qsort(globals->sorted, globals->count, sizeof *globals->sorted, compare);
    masks_prepare_rule(build, &v->masks, globals);
}

const struct pe_encoding pe_encoding_global_local_mask = {
    .name = "global-local-mask",
    .title = "Global and local attention (Longformer)",
    .formula = "attend iff |q - k| <= half_window or k in global_tokens or q in global_tokens, "
               "and k <= q if causal",
    .when_to_use = "Longformer and BigBird-ETC read long documents through windows and a few "
                   "tokens, such as [CLS] or the question, that see all.",
    .what_goes_wrong =
        "Longformer computes global tokens with projections of their own, which no mask "
        "can express. Its attention_window is twice half_window and counts the query too.",
    .picture = "len=48&half_window=4&global_tokens=0,20&block_size=8",
    .summary = "attention to a window, and to and from a few global tokens",
    .source = "Beltagy et al. 2020, Longformer, section 3.1",
    .examples = PE_WORDS("len=5&half_window=1&global_tokens=0",
                         "len=6&half_window=1&global_tokens=0,3&causal=1",
                         "len=4&half_window=0&out=runs"),
    MASKS_HOOKS(struct global_local_mask),
    .resolve = resolve,
    .prepare = prepare,
};
