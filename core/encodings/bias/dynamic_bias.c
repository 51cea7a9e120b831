/* SPDX-License-Identifier: Apache-2.0
 * dynamic_bias.c - a network of the distance, evaluated once for each distance.
 *
 *     d = query - key, or sign(d) ln(1 + |d|)
 *     x = act(w_in d + b_in), then depth - 1 times x = act(w_hidden x + b_hidden)
 *     bias[h][i][j] = (w_out x + b_out)[h],   act = SiLU, after layer norm if asked
 *
 * Wang et al. 2022, CrossFormer, section 3.3 (dynamic position bias), in one dimension as
 * x-transformers' DynamicPositionBias and Swin v2's logarithm of the distance have it.
 */
#include <math.h>

#include "core/encodings/bias/dynamic_network.h"
#include "core/encodings/bias/relative_bias.h"
#include "core/math/linear/mlp.h"

struct dynamic_bias {
    struct relative_bias distances;
    struct dynamic_network network;
    bool log_distance;
};

static const struct dynamic_form form = {.inputs = 1, .activation = DYNAMIC_SILU};

static const struct pe_param params[] = {
    RELATIVE_BIAS_ROWS(struct dynamic_bias, distances),
    {PE_FIELD(struct dynamic_bias, log_distance), .type = PE_BOOL,
     PE_OWN("x-transformers", DISTANCE, ADVANCED),
     .summary = "the network takes sign(d) ln(1 + |d|) in place of d = query - key"},
    {PE_FIELD_OF(struct dynamic_bias, network, layer_norm), .type = PE_BOOL,
     .summary = "a layer norm comes before each SiLU, with eps 1e-5"},
    DYNAMIC_NETWORK_WEIGHTS(struct dynamic_bias, network, w_in, false, true, NULL,
                            "weights of the first layer, one a hidden unit: 1,-2,0.5"),
    DYNAMIC_NETWORK_ROWS(struct dynamic_bias, network),
};

static const struct pe_output outputs[] = {
    RELATIVE_BIAS_OUTPUT_ROWS(
        "0.501 ULP; f64 8 ULP; of sums above 2^-16 of their terms", PE_SIGNED,
        PE_WORDS(RELATIVE_BIAS_NAMES, "log_distance", DYNAMIC_NETWORK_NAMES)),
};

/* ---- rules ------------------------------------------------------------------------------- */

/* Writes the smallest and the largest difference for which the network is evaluated. */
static void span(const struct dynamic_bias *d, double *low, double *high)
{
    query_key_range(&d->distances.pairs, low, high);
    if (d->distances.future.causal) {
        *low = fmax(*low, 0);
        *high = fmax(*high, 0);
    }
}

static double differences_of(const struct dynamic_bias *d)
{
    double low, high;

    span(d, &low, &high);
    return high - low + 1;
}

static struct mlp_questions questions_of(const struct dynamic_bias *d)
{
    return (struct mlp_questions){.count = differences_of(d),
                                  .kept = "biases of all differences",
                                  .parameter =
                                      d->distances.pairs.len == PE_ABSENT_INT ? "q" : "len",
                                  .products = dynamic_network_products(&d->network, &form),
                                  .answers = (double)d->network.w_out.rows};
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct dynamic_bias *d = values;
    const struct mlp_questions questions = questions_of(d);

    dynamic_network_check(&d->network, &form, errors);
    if (errors->count == 0)
        mlp_check_questions(&questions, errors);
    relative_bias_check(args, values, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct dynamic_bias *d = values;

    return differences_of(d) * dynamic_network_ns(&d->network, &form);
}

/* ---- the network ------------------------------------------------------------------------- */

static const struct dd *ask(const struct dynamic_bias *d, double difference, struct dd *scratch)
{
    struct dd in = {difference, 0};

    if (d->log_distance) {
        in = elementary_log1p((struct dd){fabs(difference), 0});
        in = difference < 0 ? (struct dd){-in.hi, -in.lo} : in;
    }
    return dynamic_network_ask(&d->network, &form, &in, scratch);
}

struct answers {
    double low;
    size_t heads;
    double *values; /* [differences][heads] */
};

static double value(const void *rule, size_t head, double difference)
{
    const struct answers *a = rule;

    return a->values[(size_t)(difference - a->low) * a->heads + head];
}

static struct relative_bias_rule rule_of(const void *values)
{
    return (struct relative_bias_rule){
        .value = value,
        .heads = ((const struct dynamic_bias *)values)->network.w_out.rows};
}

static const struct relative_bias_kind kind = {rule_of};

static void prepare(struct pe_build *build, const void *values)
{
    const struct dynamic_bias *d = values;
    size_t heads = d->network.w_out.rows, count = (size_t)differences_of(d);
    struct answers *answers = pe_build_alloc(build, sizeof *answers);
    double *kept = pe_build_alloc(build, count * heads * sizeof *kept), high;
    struct dd *scratch =
        pe_build_alloc(build, dynamic_network_scratch(&d->network, &form) * sizeof *scratch);
    struct relative_bias_rule rule = rule_of(d);

    if (!answers || !kept || !scratch)
        return;
    *answers = (struct answers){.heads = heads, .values = kept};
    span(d, &answers->low, &high);
    for (size_t i = 0; i < count; i++) {
        const struct dd *of = ask(d, answers->low + (double)i, scratch);

        if (pe_build_stopped(build))
            return;
        for (size_t h = 0; h < heads; h++)
            kept[i * heads + h] = of[h].hi + of[h].lo;
    }
    rule.rule = answers;
    relative_bias_fill(build, &d->distances, &rule);
}

const struct pe_encoding pe_encoding_dynamic_bias = {
    .name = "dynamic-bias",
    .title = "Dynamic position bias",
    .formula = "bias[h][i][j] = (w_out x + b_out)[h], x = silu(w_in d + b_in) and so on for "
               "w_hidden, d = q_i - k_j or sign(d) ln(1 + |d|)",
    .when_to_use = "x-transformers offers it as DynamicPositionBias: a small network gives "
                   "lengths that were not trained a bias too. dynamic-bias-2d is that of "
                   "CrossFormer, for patches of a window.",
    .what_goes_wrong = "The network takes query - key, in tokens and without normalization; "
                       "key - query mirrors the bias. With log_distance the sign must be "
                       "kept, "
                       "and the layer norm comes before the activation, not after it.",
    .picture = "len=48&log_distance=1&w_in=1,-1,2&b_in=0,0,-1&w_out=-1,1,0.5;0.5,-1,-1",
    .summary = "attention bias by a network of the distance",
    .source = "Wang et al. 2022, CrossFormer, section 3.3; x-transformers DynamicPositionBias",
    .examples =
        PE_WORDS("len=3&w_in=1,-1&w_out=2,1;0,1", "q=4:5&k=0:5&w_in=1&w_out=2&log_distance=1",
                 "len=3&w_in=1,2&w_hidden=1,2;3,4&w_out=1,1&layer_norm=1&causal=1",
                 "len=3&w_in=1&w_out=2&out=toeplitz"),
    .family = PE_BIAS,
    .detail = &kind,
    PE_TABLES_OF(struct dynamic_bias, distances, params, outputs),
    .resolve = relative_bias_resolve,
    .check = check,
    .shape = relative_bias_shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
