/* SPDX-License-Identifier: Apache-2.0
 * self_extend.c - grouped attention: near keys at their distance, far ones by groups of
 * positions.
 *
 *     distance = d = i - j where d < window,
 *                else floor(i/group) - floor(j/group) + window - window/group
 *
 * window/group is floored or not: the released prefill divides truly, its decoding floors, and
 * they agree where group divides window. Jin et al. 2024, LLM Maybe LongLM (SelfExtend).
 */
#include <math.h>

#include "core/encodings/rotary/remap.h"

enum { DISTANCE, Q_GROUPED, K_GROUPED, LOGN };
enum { ROUND_FLOOR, ROUND_TRUE };

struct self_extend {
    struct pairs pairs;
    int64_t group, window;
    double training_length;
    int shift_rounding;
};

static const struct pe_choice roundings[] = {
    [ROUND_FLOOR] = {"floor", NULL, "floor(window / group)", NULL},
    [ROUND_TRUE] = {"true", NULL, "window / group, maybe no whole number", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PAIRS_ROWS(struct self_extend, pairs),
    {PE_FIELD(struct self_extend, group), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, .summary = "positions in a group (grp-attn-n)"},
    {PE_FIELD(struct self_extend, window), .type = PE_INT, .required = true, .min = 1,
     .max = 0x1p40, .summary = "distance from which on positions are grouped (grp-attn-w)"},
    {PE_FIELD(struct self_extend, shift_rounding), .type = PE_CHOICE, .choices = roundings,
     .summary = "how window / group is rounded"},
    {PE_FIELD(struct self_extend, training_length), .type = PE_REAL, .optional = true,
     .above_min = true, .min = 1, .max = 0x1p53,
     .summary = "length the model was trained at (scale_base)"},
};

static const struct pe_output outputs[] = {
    [DISTANCE] = {"distance",
                  "distance of query and key that is rotated by",
                  {"q", "k"},
                  DISTANCE,
                  PE_F32,
                  true,
                  PE_WORDS("len", "q", "k", "group", "window", "shift_rounding"),
                  "0.501 ULP; f64 1 ULP"},
    [Q_GROUPED] = {"q_grouped",
                   "positions of the queries among groups",
                   {"q"},
                   Q_GROUPED,
                   PE_F32,
                   false,
                   PE_WORDS("len", "q", "group", "window", "shift_rounding"),
                   "0.501 ULP; f64 1 ULP"},
    [K_GROUPED] = {"k_grouped",
                   "positions of the keys among groups",
                   {"k"},
                   K_GROUPED,
                   PE_F32,
                   false,
                   PE_WORDS("len", "k", "group"),
                   "0.501 ULP; f64 1 ULP"},
    [LOGN] = {"logn_factor",
              "what queries are multiplied by: max(1, ln(i + 1) / ln(training_length))",
              {"q"},
              LOGN,
              PE_F32,
              false,
              PE_WORDS("len", "q", "training_length"),
              "0.501 ULP; f64 0.52 ULP"},
};

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    bool matrix = pe_wants(args, DISTANCE);

    (void)values;
    return pairs_resolve(args, offsetof(struct self_extend, pairs),
                         matrix || pe_wants(args, Q_GROUPED) || pe_wants(args, LOGN),
                         matrix || pe_wants(args, K_GROUPED), errors);
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct self_extend *s = values;

    return pe_wants(args, LOGN) ? remap_check_logn(s->training_length, s->pairs.q, errors)
                                : PE_OK;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct self_extend *s = values;

    (void)args;
    if (output == K_GROUPED) {
        dims[0] = pe_positions_count(s->pairs.k);
        return 1;
    }
    dims[0] = pe_positions_count(s->pairs.q);
    if (output == DISTANCE)
        dims[1] = pe_positions_count(s->pairs.k);
    return output == DISTANCE ? 2 : 1;
}

/* window - window/group. Kept while every position is below the window, as nothing is grouped
 * then: the released code drops it, with no effect on a distance. */
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

static double distance_of(const void *rule, double query, double key)
{
    const struct self_extend *s = rule;
    double distance = query - key;

    if (distance < (double)s->window)
        return distance;
    return group_of(s, query) - group_of(s, key) + shift_of(s);
}

static double query_at(const void *rule, double position)
{
    return group_of(rule, position) + shift_of(rule);
}

static double key_at(const void *rule, double position)
{
    return group_of(rule, position);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct self_extend *s = values;
    const struct pe_args *args = pe_build_args(build);
    bool ok = true;

    if (pe_wants(args, DISTANCE))
        ok = pairs_fill_matrix(build, DISTANCE, distance_of, s, &s->pairs);
    if (ok && pe_wants(args, Q_GROUPED))
        ok = remap_fill_list(build, Q_GROUPED, query_at, s, s->pairs.q);
    if (ok && pe_wants(args, K_GROUPED))
        ok = remap_fill_list(build, K_GROUPED, key_at, s, s->pairs.k);
    if (ok && pe_wants(args, LOGN))
        ok = remap_fill_logn(build, LOGN, s->training_length, s->pairs.q);
    if (s->shift_rounding == ROUND_TRUE && s->window % s->group != 0)
        pe_build_warn(build, "group does not divide window: the released prefill and decoding "
                             "disagree here");
    return ok ? PE_OK : pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
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
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct self_extend),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
