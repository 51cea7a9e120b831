/* SPDX-License-Identifier: Apache-2.0
 * sandwich.c - inner products of sinusoidal rows as a bias, which fall with the distance d.
 *
 *     nemo:   bias[h] = (sum_{i=1}^{q/2} cos(d w_i) - q/2) / ((h + 1) 8 / heads)
 *     paper:  bias[h] = (sum_{i=0}^{q/2-1} cos(d w_i)) / ((h + 1) 8 / heads)
 *     w_i = 10000^(-2i/q), d = |query - key|
 *
 * Chi et al. 2023, Dissecting Transformer Length Extrapolation, section 5; NeMo
 * sandwich_relative_position_embedding.py. nemo subtracts a constant, so that the bias is 0 at
 * distance 0: the sum is minus half the squared distance of the two rows.
 */
#include <math.h>

#include "core/encodings/bias/relative_bias.h"
#include "core/math/number/elementary.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/wavelength.h"

enum { FORM_NEMO, FORM_PAPER };

struct sandwich {
    struct relative_bias distances;
    int64_t heads, dim;
    double base;
    int score_form;
};

static const struct pe_param params[] = {
    RELATIVE_BIAS_ROWS(struct sandwich, distances),
    {PE_FIELD(struct sandwich, heads), .type = PE_INT, .required = true, .min = 1, .max = 4096,
     .summary = "number of attention heads, each with a factor of its own"},
    {PE_FIELD(struct sandwich, dim), .type = PE_INT, .min = 2, .max = 65536, .multiple_of = 2,
     .preset = 128,
     .summary = "width of the sinusoidal rows whose products are the bias (hidden size)"},
    PE_ROW_BASE(struct sandwich),
    {PE_FIELD(struct sandwich, score_form),
     PE_CHOICES(
         PE_ONE_AT(
             FORM_NEMO, "nemo",
             "NeMo: sums the pairs from 1 on and subtracts their count, so that distance 0 "
             "has 0"),
         PE_ONE_AT(
             FORM_PAPER, "paper",
             "the paper: sums the pairs from 0 on, dim/2 at distance 0 before the division")),
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary = "which pairs are summed, and what is subtracted"},
};

static const struct pe_output outputs[] = {
    RELATIVE_BIAS_OUTPUT_ROWS("nemo: 0.501 ULP, f64 4 ULP; paper: 0.501 ULP of sums above "
                              "dim 2^-20, f64 4 ULP of dim",
                              PE_SIGNED, NULL),
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sandwich *s = values;
    double low, high;

    relative_bias_check(args, values, errors);
    query_key_range(&s->distances.pairs, &low, &high);
    if (errors->count == 0 && fmax(high, -low) >= 0x1p53) /* larger differences are rounded */
        pe_fail(errors, PE_CONFLICT, "q", "must be less than 2^53 away from k");
}

struct waves {
    const struct sandwich *sandwich;
    size_t pairs;
    const struct phase_freq *freq; /* [pairs] */
};

/* Returns the sum over the pairs, which all heads share. */
static double shared(const void *rule, double difference)
{
    const struct waves *w = rule;
    double distance = fabs(difference);

    return w->sandwich->score_form == FORM_NEMO
               ? -.5 * wavelength_chords(w->freq, w->pairs, distance)
               : wavelength_cosines(w->freq, w->pairs, distance);
}

/* Divides the sum by (h + 1) 8 / heads. */
static double value(const void *rule, size_t head, double sum)
{
    const struct waves *w = rule;
    struct dd of = elementary_product(sum, (double)w->sandwich->heads);

    return elementary_divide(of, (struct dd){8 * ((double)head + 1), 0}).hi;
}

static struct relative_bias_rule rule_of(const void *values)
{
    const struct sandwich *s = values;

    return (struct relative_bias_rule){.value = value,
                                       .shared = shared,
                                       .heads = (size_t)s->heads,
                                       .ns = 20,
                                       .shared_ns = 30 * (double)s->dim};
}

static const struct relative_bias_kind kind = {rule_of};

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct sandwich *s = values;

    return 20000 + 400 * (double)s->dim + relative_bias_plan_ns(args, values);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct sandwich *s = values;
    size_t pairs = (size_t)s->dim / 2, first = s->score_form == FORM_NEMO;
    const struct frequency_ladder ladder = {.base = s->base,
                                            .denominator = (double)pairs,
                                            .count = pairs + first,
                                            .multiplier = 1,
                                            .divisor = 1};
    struct phase_freq *freq = pe_build_alloc(build, (pairs + first) * sizeof *freq);
    struct waves *waves = pe_build_alloc(build, sizeof *waves);
    struct relative_bias_rule rule = rule_of(s);

    if (!freq || !waves || !(frequency_build(freq, &ladder) || pe_build_no_memory(build)))
        return;
    *waves = (struct waves){s, pairs, freq + first};
    rule.rule = waves;
    relative_bias_fill(build, &s->distances, &rule);
}

const struct pe_encoding pe_encoding_sandwich = {
    .name = "sandwich",
    .title = "Sandwich",
    .formula =
        "nemo: (sum of cos(d w_i) for i = 1 .. dim/2 - dim/2) / ((h + 1) 8 / heads); paper: "
        "sum for i = 0 .. dim/2 - 1, nothing subtracted",
    .when_to_use =
        "Sandwich takes the products of sinusoidal rows as a bias: it falls with the "
        "distance like ALiBi, without learned numbers, and keeps more of far tokens.",
    .what_goes_wrong =
        "NeMo starts at pair 1 and subtracts a constant, the paper does neither: softmax "
        "hides the constant, not the first pair. dim is the hidden size, not the width of a "
        "head.",
    .picture = "heads=4&len=64&dim=128",
    .summary = "attention bias of inner products of sinusoidal rows",
    .source = "Chi et al. 2023, Dissecting Transformer Length Extrapolation, section 5; NeMo "
              "sandwich_relative_position_embedding.py",
    .examples = PE_WORDS("heads=2&len=4", "heads=8&q=10:11&k=0:11&score_form=paper&dim=64",
                         "heads=2&len=3&causal=1&future=zero", "heads=2&len=4&out=toeplitz"),
    .family = PE_BIAS,
    .detail = &kind,
    PE_TABLES_OF(struct sandwich, distances, params, outputs),
    .resolve = relative_bias_resolve,
    .check = check,
    .shape = relative_bias_shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
