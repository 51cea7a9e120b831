/* SPDX-License-Identifier: Apache-2.0
 * self_extend.c - grouped attention: near keys are at their distance, far keys at that of
 * groups of positions.
 *
 *     distance = d = i - j where d < window,
 *                else floor(i/group) - floor(j/group) + window - window/group
 *
 * window/group is floored or not: the released prefill divides truly, its decoding floors, and
 * they agree where group divides window. Jin et al. 2024, LLM Maybe LongLM (SelfExtend).
 */
#include <math.h>

#include "core/encodings/rotary/remap.h"

enum { ROUND_FLOOR, ROUND_TRUE };

struct self_extend {
    struct remap remap;
    int64_t group, window;
    int shift_rounding;
};

static const struct pe_param params[] = {
    REMAP_ROWS(struct self_extend, remap),
    {PE_FIELD(struct self_extend, group), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, PE_OWN("Jin et al. 2024", DISTANCE, BASIC),
     .summary = "number of positions in a group (grp-attn-n of llama.cpp)"},
    {PE_FIELD(struct self_extend, window), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40,
     .summary = "distance from which on positions count in groups (grp-attn-w of llama.cpp)"},
    {PE_FIELD(struct self_extend, shift_rounding),
     PE_CHOICES(
         PE_ONE_AT(ROUND_FLOOR, "floor", "the shift is window - floor(window / group)"),
         PE_ONE_AT(ROUND_TRUE, "true",
                   "the shift is window - window / group, which may be no whole number")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "how window / group is rounded in the shift of grouped positions"},
};

static const struct pe_output outputs[] = {
    [REMAP_DISTANCE] = {PE_OUTPUT("distance", PE_F32, "q", "k"), .label = "Distance",
                        .one_of = QUERY_KEY_ONE_OF,
                        .summary =
                            "distance by which a query and a key are turned against each "
                            "other",
                        .by_default = true,
                        .uses = PE_WORDS("len", "q", "k", "group", "window", "shift_rounding"),
                        .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_Q] = {PE_OUTPUT("q_grouped", PE_F32, "q"), .label = "Grouped queries",
                 .one_of = "len|q", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the queries, counted in groups",
                 .uses = PE_WORDS("len", "q", "group", "window", "shift_rounding"),
                 .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_K] = {PE_OUTPUT("k_grouped", PE_F32, "k"), .label = "Grouped keys",
                 .one_of = "len|k", .sign = PE_NOT_NEGATIVE,
                 .summary = "positions of the keys, counted in groups",
                 .uses = PE_WORDS("len", "k", "group"), .bound = "0.501 ULP; f64 1 ULP"},
    REMAP_LOGN_ROW,
};

/* Returns window - window/group, even while every position is below the window and nothing is
 * grouped: the released code drops it then, with no effect on a distance. */
static double shift_of(const struct self_extend *s)
{
    double part = (double)s->window / (double)s->group;

    return (double)s->window - (s->shift_rounding == ROUND_FLOOR ? floor(part) : part);
}

static double group_of(const struct self_extend *s, double position)
{
    int64_t at = (int64_t)position, rest = at % s->group; /* both are whole */

    return (double)(at / s->group - (rest < 0));
}

static double distance_of(const void *context, double query, double key)
{
    const struct self_extend *s = context;
    double distance = query - key;

    if (distance < (double)s->window)
        return distance;
    return group_of(s, query) - group_of(s, key) + shift_of(s);
}

static double query_at(const void *context, double position)
{
    return group_of(context, position) + shift_of(context);
}

static double key_at(const void *context, double position)
{
    return group_of(context, position);
}

static const struct remap_rule rule = {distance_of, query_at, key_at};

static void prepare(struct pe_build *build, const void *values)
{
    const struct self_extend *s = values;

    if (s->shift_rounding == ROUND_TRUE && s->window % s->group != 0)
        pe_build_warn(build, "group does not divide window: the released prefill and decoding "
                             "disagree here");
    remap_prepare(build, values);
}

const struct pe_encoding pe_encoding_self_extend = {
    .name = "self-extend",
    .title = "SelfExtend",
    .formula = "distance = q - k below window, else floor(q / group) + window - floor(window / "
               "group) - floor(k / group)",
    .when_to_use = "SelfExtend reads long contexts with a model as it is; llama.cpp has it as "
                   "grp-attn-n and grp-attn-w. rerope and dca are the other ways.",
    .what_goes_wrong =
        "The groups count from position 0, so positions of a cache must be true positions. "
        "At the window the two rules meet only where group divides it (shift_rounding).",
    .picture = "len=48&group=4&window=12&train_len=16",
    .summary = "grouped attention: rotary distances counted in groups beyond a window",
    .source = "Jin et al. 2024, LLM Maybe LongLM; datamllab/LongLM self_extend_patch",
    .examples =
        PE_WORDS("q=20:21&k=4:21&group=4&window=8", "len=6&group=2&window=3",
                 "q=0:12&out=q_grouped&group=4&window=6&shift_rounding=true",
                 "k=0:12&out=k_grouped&group=4", "q=4095:4098&out=logn_factor&train_len=4096"),
    .family = PE_ROTARY,
    PE_TABLES_OF(struct self_extend, remap, params, outputs),
    .detail = &rule,
    .resolve = remap_resolve,
    .check = remap_check,
    .prepare = prepare,
};
