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
_Static_assert(offsetof(struct self_extend, remap) == 0, "hooks of remap.h read it there");

static const struct pe_choice roundings[] = {
    [ROUND_FLOOR] = {"floor", NULL, "floor(window / group)", NULL},
    [ROUND_TRUE] = {"true", NULL, "window / group, maybe no whole number", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    REMAP_ROWS(struct self_extend, remap),
    {PE_FIELD(struct self_extend, group), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, .summary = "positions in a group (grp-attn-n)"},
    {PE_FIELD(struct self_extend, window), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, .summary = "distance from which on positions are grouped (grp-attn-w)"},
    {PE_FIELD(struct self_extend, shift_rounding), .type = PE_CHOICE, .choices = roundings,
     .summary = "how window / group is rounded"},
};

static const struct pe_output outputs[] = {
    [REMAP_DISTANCE] = {PE_OUTPUT("distance", PE_F32, "q", "k"),
                        .summary = "distance of query and key that is rotated by",
                        .by_default = true,
                        .uses = PE_WORDS("len", "q", "k", "group", "window", "shift_rounding"),
                        .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_Q] = {PE_OUTPUT("q_grouped", PE_F32, "q"),
                 .summary = "positions of the queries among groups",
                 .uses = PE_WORDS("len", "q", "group", "window", "shift_rounding"),
                 .bound = "0.501 ULP; f64 1 ULP"},
    [REMAP_K] = {PE_OUTPUT("k_grouped", PE_F32, "k"),
                 .summary = "positions of the keys among groups",
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
    .summary = "grouped attention: rotary distances counted in groups beyond a window",
    .source = "Jin et al. 2024, LLM Maybe LongLM; datamllab/LongLM self_extend_patch",
    .examples = PE_WORDS("q=20:21&k=4:21&group=4&window=8", "len=6&group=2&window=3",
                         "q=0:12&out=q_grouped&group=4&window=6&shift_rounding=true",
                         "k=0:12&out=k_grouped&group=4",
                         "q=4095:4098&out=logn_factor&training_length=4096"),
    .family = PE_ROTARY,
    PE_TABLES(struct self_extend, params, outputs),
    .detail = &rule,
    .resolve = remap_resolve,
    .check = remap_check,
    .shape = remap_shape,
    .prepare = prepare,
};
