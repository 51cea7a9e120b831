/* SPDX-License-Identifier: Apache-2.0
 * kerple.c - kernels of the distance, two learned numbers a head.
 *
 *     log:    bias[h][i][j] = -p_h ln(1 + a_h d),  d = |q_i - k_j|
 *     power:  bias[h][i][j] = -a_h d^p_h
 *     weight[h][i][j] = exp(-a_h d^p_h), which multiplies scores instead
 *
 * Chi et al. 2022, KERPLE, sections 4 and 5; chijames/KERPLE megatron/mpu/layers.py. NeMo's
 * kernel is kernel=log with ALiBi's slopes as p.
 */
#include <math.h>

#include "core/encodings/bias/relative_bias.h"
#include "core/math/number/elementary.h"
#include "core/math/relative/toeplitz.h"

enum { KIND_LOG, KIND_POWER };
enum { WEIGHT = RELATIVE_BIAS_TOEPLITZ + 1 };

struct kerple {
    struct relative_bias distances;
    int kernel;
    struct pe_reals a, p;
};

static const struct pe_param params[] = {
    RELATIVE_BIAS_ROWS(struct kerple, distances),
    {PE_FIELD(struct kerple, kernel),
     PE_CHOICES(PE_ONE_AT(KIND_LOG, "log", "logarithmic: -p ln(1 + a d), d the distance"),
                PE_ONE_AT(KIND_POWER, "power", "power: -a d^p, d the distance")),
     PE_OWN("Chi et al. 2022", DISTANCE, BASIC), .summary = "kernel of the distance"},
    {PE_FIELD(struct kerple, a), .type = PE_REALS, .required = true, .min = 1e-18, .max = 1e18,
     .summary = "learned factor a on the distance, one a head"},
    {PE_FIELD(struct kerple, p), .type = PE_REALS, .required = true, .min = 1e-18, .max = 1e18,
     PE_OWN("Chi et al. 2022", WEIGHTS, BASIC),
     .summary =
         "learned p, one a head: factor of the logarithmic kernel, exponent of the others"},
};

static const struct pe_output outputs[] = {
    RELATIVE_BIAS_OUTPUT_ROWS("0.501 ULP; f64 1 ULP", PE_NOT_POSITIVE, NULL),
    [WEIGHT] = {PE_OUTPUT("weight", PE_F32, "heads", "q", "k"), .label = "Weight",
                .one_of = QUERY_KEY_ONE_OF, .sign = PE_NOT_NEGATIVE,
                .summary = "factor exp(-a d^p) on the attention scores",
                .uses = PE_WORDS("len", "q", "k", "a", "p"),
                .bound = "0.501 ULP; f64 1 ULP and a d^p / 8 ULP"},
};

static bool wants_bias(const struct pe_args *args)
{
    return pe_wants(args, RELATIVE_BIAS_BIAS) || pe_wants(args, RELATIVE_BIAS_TOEPLITZ);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct kerple *k = values;
    bool power = pe_wants(args, WEIGHT) || (wants_bias(args) && k->kernel == KIND_POWER);

    if (k->a.cols != k->p.cols)
        pe_fail(errors, PE_CONFLICT, "p", "must have one number a head, as a, %zu; got %zu",
                k->a.cols, k->p.cols);
    for (size_t h = 0; power && h < k->p.cols; h++) {
        if (k->p.values[h] > 2) {
            pe_fail(errors, PE_CONFLICT, "p", "must be at most 2 as an exponent; got %.9g",
                    k->p.values[h]);
            return;
        }
    }
    relative_bias_check(args, values, errors);
}

/* ---- kernels ----------------------------------------------------------------------------- */

enum { VALUE_NS = 300, WEIGHT_NS = 400 };

/* Returns a d^p; an exponent of 1 or 2 needs no logarithm. */
static struct dd power_of(const struct kerple *k, size_t head, double distance)
{
    struct dd a = {k->a.values[head], 0}, p = {k->p.values[head], 0}, d = {distance, 0};

    if (distance == 0)
        return (struct dd){0, 0};
    if (p.hi == 2)
        d = elementary_product(distance, distance);
    else if (p.hi != 1)
        d = elementary_exp_dd(elementary_multiply(p, elementary_log(distance)));
    return elementary_multiply(a, d);
}

static double value(const void *rule, size_t head, double difference)
{
    const struct kerple *k = rule;
    double distance = fabs(difference);
    struct dd size;

    if (k->kernel == KIND_POWER)
        return -power_of(k, head, distance).hi;
    size = elementary_log1p(elementary_product(k->a.values[head], distance));
    return -elementary_multiply((struct dd){k->p.values[head], 0}, size).hi;
}

static double weight(const void *values, size_t head, double difference)
{
    struct dd size = power_of(values, head, fabs(difference));

    return elementary_exp((struct dd){-size.hi, -size.lo});
}

static struct relative_bias_rule rule_of(const void *values)
{
    return (struct relative_bias_rule){.value = value,
                                       .heads = ((const struct kerple *)values)->a.cols,
                                       .ns = VALUE_NS};
}

static const struct relative_bias_kind kind = {rule_of};

static struct toeplitz weights_of(const struct kerple *k)
{
    return (struct toeplitz){.context = k,
                             .value = weight,
                             .heads = k->a.cols,
                             .q = k->distances.pairs.q,
                             .k = k->distances.pairs.k,
                             .ns = WEIGHT_NS};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct toeplitz weights = weights_of(values);

    return relative_bias_plan_ns(args, values) +
           (pe_wants(args, WEIGHT) ? toeplitz_plan_ns(&weights) : 0);
}

static void prepare(struct pe_build *build, const void *values)
{
    struct toeplitz *weights = pe_build_alloc(build, sizeof *weights);

    if (!weights)
        return;
    *weights = weights_of(values);
    toeplitz_fill(build, WEIGHT, weights);
    relative_bias_prepare(build, values);
}

const struct pe_encoding pe_encoding_kerple = {
    .name = "kerple",
    .title = "KERPLE",
    .formula = "log: -p ln(1 + a d); power: -a d^p; weight: exp(-a d^p); d = |q - k|",
    .when_to_use =
        "KERPLE learns two numbers a head and works beyond the trained length; GPT-NeoX and "
        "NeMo have it. alibi has no learned numbers, fire a network.",
    .what_goes_wrong =
        "a and p must be positive: training code clamps them to 0.01, and weights from a "
        "checkpoint are stored before the clamp. NeMo takes the slopes of ALiBi as p.",
    .picture = "len=48&a=1,0.2&p=0.5,0.8&causal=1&mask_value=-inf",
    .summary = "attention bias by learned kernels of the distance, logarithmic or powers",
    .source = "Chi et al. 2022, KERPLE, sections 4 and 5; NeMo kerple_position_embedding",
    .examples =
        PE_WORDS("len=4&a=0.5,1&p=1,0.5", "q=99:100&k=0:100:10&kernel=power&a=0.1&p=0.5",
                 "len=3&a=1&p=1&causal=1&mask_value=-inf", "len=4&out=toeplitz&a=1&p=1",
                 "len=3&out=weight&a=0.01&p=0.5"),
    .family = PE_BIAS,
    .detail = &kind,
    PE_TABLES_OF(struct kerple, distances, params, outputs),
    .resolve = relative_bias_resolve,
    .check = check,
    .shape = relative_bias_shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
