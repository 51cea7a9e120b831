/* SPDX-License-Identifier: Apache-2.0
 * bigbird_mask.c - blocks attend to their neighbours, to the first and the last block, and to a
 * few random ones.
 *
 *     attend iff |a - c| <= 1, or a or c is 0 or n - 1, or c is one of the random blocks of a,
 *     a = floor(q / block), c = floor(k / block), n = len / block
 *
 * For a = 1 .. n - 2 in turn the random blocks are picked from the blocks that a does not see
 * yet. Zaheer et al. 2020, Big Bird, section 2.
 */
#include "core/encodings/mask/masks.h"
#include "core/math/random.h"

#define PICKS_MOST (1 << 22)

struct bigbird_mask {
    struct masks masks;
    int64_t block, random_blocks, seed;
};

static const struct pe_param params[] = {
    {PE_FIELD_OF(struct bigbird_mask, masks, len), .type = PE_INT, .required = true, .min = 0,
     .max = 0x1p53, .summary = "number of queries and of keys, a multiple of block"},
    {PE_FIELD(struct bigbird_mask, block), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40},
    {PE_FIELD(struct bigbird_mask, random_blocks), .type = PE_INT, .min = 0, .max = 4096,
     .preset = 3, PE_OWN("Zaheer et al. 2020", MASK, BASIC),
     .summary = "number of random blocks that each block attends to (num_random_blocks)"},
    RANDOM_ROW_SEED(struct bigbird_mask),
    MASKS_PADDING_ROW,
    MASKS_ROWS,
};

static const struct pe_output outputs[] = {
    MASKS_OUTPUTS(NULL, "len", "block", "random_blocks", "seed", "attention_mask")};

struct picks {
    int64_t block, blocks;
    uint64_t random;
    /* [block of queries][random], ascending; UINT64_MAX where fewer blocks are drawn */
    uint64_t *of;
};

static bool is_picked(const struct picks *picks, int64_t a, int64_t c)
{
    for (uint64_t i = 0; i < picks->random; i++)
        if (picks->of[(uint64_t)a * picks->random + i] == (uint64_t)c)
            return true;
    return false;
}

static bool sees(const void *context, uint64_t batch, int64_t query, int64_t key)
{
    const struct picks *picks = context;
    int64_t a = query / picks->block, c = key / picks->block, last = picks->blocks - 1;

    return (a - c <= 1 && c - a <= 1) || a == 0 || c == 0 || a == last || c == last ||
           is_picked(picks, a, c);
}

static const struct mask_rule rule = {.sees = sees, .witness = mask_own_key};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct bigbird_mask *v = values;
    int64_t blocks = v->masks.len / v->block;

    if (v->masks.len % v->block != 0)
        pe_fail(errors, PE_CONFLICT, "len", "must be a multiple of block, %lld; got %lld",
                (long long)v->block, (long long)v->masks.len);
    else if (blocks < 3 && blocks > 0)
        pe_fail(errors, PE_CONFLICT, "block", "must divide len into at least 3; got %lld",
                (long long)blocks);
    else
        masks_resolve_sizes(&v->masks, &rule, (uint64_t)v->masks.len, (uint64_t)v->masks.len);
}

/* Returns block number `number` among blocks 1 .. n - 2 without a - 1, a and a + 1. */
static uint64_t unseen(int64_t a, uint64_t number)
{
    int64_t c = (int64_t)number + 1;

    return (uint64_t)(c < a - 1 ? c : c + (a == 1 ? 2 : 3));
}

static bool pick(struct pe_build *build, const struct bigbird_mask *v, struct picks *picks)
{
    struct random random = random_seeded((uint64_t)v->seed);

    picks->of =
        pe_build_alloc(build, (uint64_t)picks->blocks * picks->random * sizeof *picks->of);
    for (int64_t a = 0; picks->of && a < picks->blocks; a++) {
        uint64_t *of = picks->of + (uint64_t)a * picks->random;
        int64_t seen = 3 - (a == 1) - (a == picks->blocks - 2);
        uint64_t below = (uint64_t)(picks->blocks - 2 - seen), count = 0;

        if (a > 0 && a < picks->blocks - 1 && picks->blocks - 2 > seen) {
            count = below < picks->random ? below : picks->random;
            if (!random_pick(&random, below, count, of, pe_build_stop(build)))
                return pe_build_no_memory(build);
        }
        for (uint64_t i = 0; i < picks->random; i++)
            of[i] = i < count ? unseen(a, of[i]) : UINT64_MAX;
    }
    return picks->of != NULL;
}

/* Random blocks are drawn for each block of queries. */
static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct bigbird_mask *v = values;

    return masks_plan_ns(args, values) +
           40 * (double)(v->masks.len / v->block) * (double)v->random_blocks;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct bigbird_mask *v = values;
    struct picks *picks = pe_build_alloc(build, sizeof *picks);
    int64_t blocks = v->masks.len / v->block;

    if (picks && blocks * v->random_blocks > PICKS_MOST) {
        pe_fail(pe_build_errors(build), PE_TOO_LARGE, "random_blocks",
                "must be at most %lld for %lld blocks; got %lld",
                (long long)(PICKS_MOST / blocks), (long long)blocks,
                (long long)v->random_blocks);
        return;
    }
    if (picks)
        *picks = (struct picks){v->block, blocks, (uint64_t)v->random_blocks, NULL};
    masks_prepare_rule(build, &v->masks, picks && pick(build, v, picks) ? picks : NULL);
}

const struct pe_encoding pe_encoding_bigbird_mask = {
    .name = "bigbird-mask",
    .title = "Big Bird: window, global and random blocks",
    .formula =
        "attend iff |a - c| <= 1, or a or c is 0 or last, or c is a random block of a; a "
        "= floor(q / block), c = floor(k / block)",
    .when_to_use =
        "Big Bird and its successors encode documents of 4,096 tokens at a cost linear "
        "in the length. The window covers text nearby, the random blocks keep paths "
        "between far tokens short.",
    .what_goes_wrong =
        "The random blocks are drawn once for a model, not per call: a port that draws "
        "others computes other values with equal shapes. transformers falls back to full "
        "attention for short inputs, so a short test proves nothing.",
    .picture = "len=48&block=4&random_blocks=2&seed=1&block_size=8",
    .summary = "attention to neighbouring, first, last and random blocks",
    .source = "Zaheer et al. 2020, Big Bird, section 2",
    .examples = PE_WORDS("len=6&block=1&random_blocks=1&seed=42", "len=16&block=2",
                         "len=8&block=2&random_blocks=0&out=blocks&block_size=2"),
    .family = PE_MASK,
    PE_TABLES_OF(struct bigbird_mask, masks, params, outputs),
    .range = masks_range,
    .shape = masks_shape,
    .plan_ns = plan_ns,
    .resolve = resolve,
    .check = masks_check,
    .prepare = prepare,
};
