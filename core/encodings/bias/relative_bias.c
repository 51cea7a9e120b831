/* SPDX-License-Identifier: Apache-2.0
 * relative_bias.c - hooks and values of biases of the distance. */
#include "core/encodings/bias/relative_bias.h"

#include <string.h>

#include "core/math/relative/toeplitz.h"

static struct relative_bias_rule rule_of(const struct pe_args *args)
{
    const struct relative_bias_kind *kind = pe_args_encoding(args)->detail;

    return kind->rule(pe_args_struct(args));
}

void relative_bias_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    causal_resolve(&((struct relative_bias *)values)->future);
    query_key_resolve(args, offsetof(struct relative_bias, pairs), true, true, errors);
}

void relative_bias_check(const struct pe_args *args, const void *values,
                         struct pe_errors *errors)
{
    const struct relative_bias *d = values;
    size_t output =
        pe_wants(args, RELATIVE_BIAS_BIAS) ? RELATIVE_BIAS_BIAS : RELATIVE_BIAS_TOEPLITZ;

    if (pe_wants(args, RELATIVE_BIAS_TOEPLITZ))
        query_key_check_slices(&d->pairs, errors);
    causal_check(args, offsetof(struct relative_bias, future), output, errors);
}

size_t relative_bias_shape(const struct pe_args *args, const void *values, size_t output,
                           uint64_t dims[PE_MAX_RANK])
{
    const char *const *axes = pe_args_encoding(args)->outputs[output].axes;
    const struct relative_bias *distances = values;
    size_t rank = 0;

    if (strcmp(axes[0], "heads") == 0)
        dims[rank++] = rule_of(args).heads;
    if (strcmp(axes[rank], "q") == 0)
        return rank + query_key_shape(&distances->pairs, dims + rank);
    dims[rank++] = query_key_differences(&distances->pairs);
    return rank;
}

/* ---- values ------------------------------------------------------------------------------ */

struct state {
    struct relative_bias_rule rule;
    const struct causal *future;
    double mask;
    struct toeplitz matrix;
    const double *kept; /* the shared part at first + step t, t < count; or NULL */
    uint64_t count;
    double first, step;
};

static double shared_at(const struct state *s, double difference)
{
    double t = s->kept ? (difference - s->first) / s->step : -1;

    if (t >= 0 && t < (double)s->count && t == (double)(uint64_t)t)
        return s->kept[(uint64_t)t];
    return s->rule.shared(s->rule.rule, difference);
}

static double value_at(const void *context, size_t head, double difference)
{
    const struct state *s = context;
    bool future = s->future->causal && difference < 0;

    if (future && s->future->future == CAUSAL_MASKED)
        return s->mask;
    if (future)
        difference = 0;
    return s->rule.value(s->rule.rule, head,
                         s->rule.shared ? shared_at(s, difference) : difference);
}

static struct toeplitz matrix_of(const struct state *context,
                                 const struct relative_bias *distances,
                                 const struct relative_bias_rule *rule)
{
    return (struct toeplitz){.context = context,
                             .value = value_at,
                             .heads = rule->heads,
                             .q = distances->pairs.q,
                             .k = distances->pairs.k,
                             .ns = rule->ns,
                             .shared_ns = rule->shared_ns};
}

/* The shared part is computed once for all heads, at the differences whose diagonals are
 * kept. */
static uint64_t shared_differences(const struct pe_args *args, const struct toeplitz *matrix)
{
    return pe_wants(args, RELATIVE_BIAS_BIAS) || matrix->heads > 1
               ? toeplitz_differences(matrix)
               : 0;
}

static void keep_shared(struct pe_build *build, struct state *s)
{
    const uint64_t count = shared_differences(pe_build_args(build), &s->matrix);
    double *kept = NULL;

    if (s->rule.shared && count > 0 && pe_build_reserve(build, count * sizeof *kept))
        kept = pe_build_alloc(build, count * sizeof *kept);
    if (!kept)
        return;
    toeplitz_steps(&s->matrix, &s->first, &s->step);
    for (uint64_t t = 0; t < count; t++)
        kept[t] = s->rule.shared(s->rule.rule, s->first + s->step * (double)t);
    s->count = count;
    s->kept = kept;
    s->matrix.shared_ns = 0; /* kept values cost nothing from now on */
}

double relative_bias_plan_ns(const struct pe_args *args, const void *values)
{
    const struct relative_bias_rule rule = rule_of(args);
    const struct toeplitz matrix = matrix_of(NULL, values, &rule);

    return pe_wants(args, RELATIVE_BIAS_BIAS)
               ? toeplitz_plan_ns(&matrix)
               : rule.shared_ns * (double)shared_differences(args, &matrix);
}

void relative_bias_prepare(struct pe_build *build, const void *values)
{
    struct relative_bias_rule rule = rule_of(pe_build_args(build));

    rule.rule = values;
    relative_bias_fill(build, values, &rule);
}

void relative_bias_fill(struct pe_build *build, const struct relative_bias *distances,
                        const struct relative_bias_rule *rule)
{
    const struct pe_args *args = pe_build_args(build);
    struct state *s = pe_build_alloc(build, sizeof *s);

    if (!s)
        return;
    s->rule = *rule;
    s->future = &distances->future;
    s->mask = causal_mask(args, distances->future.mask_value, RELATIVE_BIAS_BIAS);
    s->matrix = matrix_of(s, distances, rule);
    keep_shared(build, s);
    toeplitz_fill(build, RELATIVE_BIAS_BIAS, &s->matrix);
    pe_build_fill(build, RELATIVE_BIAS_TOEPLITZ, &toeplitz_compact_filler, &s->matrix);
}
