/* SPDX-License-Identifier: Apache-2.0
 * global_local_mask.c - a window, and a few tokens that see all and are seen by all.
 *
 *     attend iff |q - k| <= window or k in global or q in global, and k <= q if causal
 *
 * Beltagy et al. 2020, Longformer, section 3.1; Zaheer et al. 2020, Big Bird (ETC).
 */
#include <math.h>
#include <stdlib.h>

#include "core/encodings/mask/masks.h"

enum { GLOBALS_MOST = 1 << 16 };

struct global_local_mask {
    struct masks masks;
    int64_t window;
    const struct pe_positions *global;
    bool causal;
};
_Static_assert(offsetof(struct global_local_mask, masks) == 0,
               "hooks of masks.h read it there");

static const struct pe_param params[] = {
    {PE_FIELD(struct global_local_mask, window), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "keys on each side; half of Longformer's attention_window"},
    {PE_FIELD(struct global_local_mask, global), .type = PE_POSITIONS,
     .summary = "positions that see all and are seen by all: 0 or 0,7,8"},
    {PE_FIELD(struct global_local_mask, causal), .type = PE_BOOL,
     .summary = "the future is no key"},
    MASKS_PAIR_ROWS,
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(MASKS_PAIRS_PADDED, "window", "global", "causal")};

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
    return (query - key <= v->window && key - query <= v->window) || is_global(globals, key) ||
           is_global(globals, query);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct global_local_mask *v = values;
    uint64_t count = v->global ? pe_positions_count(v->global) : 0;

    if (count > GLOBALS_MOST)
        pe_fail(errors, PE_OUT_OF_RANGE, "global", "must have at most %d positions; got %llu",
                GLOBALS_MOST, (unsigned long long)count);
    else
        masks_resolve(args, &v->masks, &rule, -1, errors);
    v->masks.look_ns = 6 + 2 * log2(1 + (double)count); /* two searches among the globals */
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct global_local_mask *v = values;
    struct globals *globals = pe_build_alloc(build, sizeof *globals);

    if (globals)
        *globals = (struct globals){v, masks_list(build, v->global),
                                    v->global ? pe_positions_count(v->global) : 0};
    if (!globals || !globals->sorted)
        return;
    qsort(globals->sorted, globals->count, sizeof *globals->sorted, compare);
    masks_prepare_rule(build, &v->masks, globals);
}

const struct pe_encoding pe_encoding_global_local_mask = {
    .name = "global-local-mask",
    .summary = "attention to a window, and to and from a few global tokens",
    .source = "Beltagy et al. 2020, Longformer, section 3.1",
    .examples = PE_WORDS("len=5&window=1&global=0", "len=6&window=1&global=0,3&causal=1",
                         "len=4&window=0&out=runs"),
    MASKS_HOOKS(struct global_local_mask),
    .resolve = resolve,
    .prepare = prepare,
};
