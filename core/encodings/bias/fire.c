/* SPDX-License-Identifier: Apache-2.0
 * fire.c - a small network of the distance, as a share of the query's position.
 *
 *     psi(i, j) = ln(1 + |c (i-j)|) / (ln(1 + |c max(i, |l_multiplier l|)|) + eps)
 *     bias[h][i][j] = (w2 relu(w1 psi + b1) + b2)[h],  i and j positions of query and key
 *
 * Li et al. 2024, Functional Interpolation for Relative Positions, section 3; the learned
 * multiplier and eps are those of chuanyang-Zheng/DAPE positional_embeddings.py.
 */
#include <math.h>

#include "core/encodings/bias/relative_bias.h"
#include "core/math/linear/mlp.h"
#include "core/math/relative/toeplitz.h"

enum { BIAS, PSI };

struct fire {
    struct relative_bias distances;
    double c, l, l_multiplier, eps;
    struct pe_reals w1, b1, w2, b2;
};

static const struct pe_param params[] = {
    RELATIVE_BIAS_ROWS(struct fire, distances),
    {PE_FIELD(struct fire, c), .type = PE_REAL, .min = -1e18, .max = 1e18, .preset = 0.1,
     PE_OWN("Li et al. 2024", WEIGHTS, BASIC),
     .summary = "learned factor c on distances under the logarithm"},
    {PE_FIELD(struct fire, l), .type = PE_REAL, .max = 1e18, .preset = 512,
     PE_OWN("Li et al. 2024", DISTANCE, BASIC),
     .summary = "threshold L: queries before it share one denominator"},
    {PE_FIELD(struct fire, l_multiplier), .type = PE_REAL, .min = -1e18, .max = 1e18,
     .preset = 1, PE_OWN("Zheng et al. 2024", WEIGHTS, ADVANCED),
     .summary = "learned factor on the threshold l"},
    {PE_FIELD(struct fire, eps), .type = PE_REAL, .max = 1, .preset = 1e-6,
     .summary = "small number that is added to the denominator"},
    {PE_WEIGHTS(struct fire, w1), .matrix = true, .required = true,
     .summary = "weights of the first layer, one a hidden unit: 1,-2,0.5"},
    {PE_WEIGHTS(struct fire, b1),
     .summary = "biases of the first layer, one a hidden unit; 0 by default"},
    {PE_WEIGHTS(struct fire, w2), .matrix = true, .required = true,
     .summary = "weights of the second layer, a row a head"},
    {PE_WEIGHTS(struct fire, b2),
     .summary = "biases of the second layer, one a head; 0 by default"},
};

#define PSI_NAMES "len", "q", "k", "c", "l", "l_multiplier", "eps"

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = QUERY_KEY_ONE_OF,
              .summary = "bias that is added to the attention scores", .by_default = true,
              .uses =
                  PE_WORDS(PSI_NAMES, "causal", "future", "mask_value", "w1", "b1", "w2", "b2"),
              .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-14 of their terms"},
    [PSI] = {PE_OUTPUT("psi", PE_F32, "q", "k"), .label = "Normalized distance",
             .one_of = QUERY_KEY_ONE_OF, .sign = PE_NOT_NEGATIVE,
             .summary = "normalized distance psi of a query and a key, which the network reads",
             .uses = PE_WORDS(PSI_NAMES), .bound = "0.501 ULP; f64 1 ULP"},
};

static struct mlp mlp_of(const struct fire *f)
{
    return (struct mlp){&f->w1, &f->b1, &f->w2, &f->b2, 0};
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct fire *f = values;
    const struct mlp mlp = mlp_of(f);

    if (fabs(f->c) < 1e-18)
        pe_fail(errors, PE_CONFLICT, "c", "must be at least 1e-18 in size; got %.9g", f->c);
    if (f->eps == 0 && f->l * fabs(f->l_multiplier) < 1)
        pe_fail(errors, PE_CONFLICT, "eps",
                "must be above 0 with a threshold below 1, where the logarithm is 0");
    if (pe_wants(args, BIAS)) {
        mlp_check(&mlp, 1, "psi", errors);
        causal_check(args, offsetof(struct fire, distances.future), BIAS, errors);
    }
}

/* ---- values ------------------------------------------------------------------------------ */

struct state {
    const struct fire *fire;
    struct dd threshold; /* |l_multiplier l| */
    double mask;
    struct toeplitz bias, psi;
};

static struct dd logarithm(const struct fire *f, struct dd distance)
{
    return elementary_log1p(elementary_multiply((struct dd){fabs(f->c), 0}, distance));
}

static struct dd denominator(const struct state *s, double query)
{
    bool before = query <= s->threshold.hi;

    return elementary_add(logarithm(s->fire, before ? s->threshold : (struct dd){query, 0}),
                          (struct dd){s->fire->eps, 0});
}

static struct dd psi_at(const struct state *s, struct dd below, double difference)
{
    return elementary_divide(logarithm(s->fire, (struct dd){fabs(difference), 0}), below);
}

static void fill_psi(const void *context, size_t head, double query, const double *keys,
                     size_t count, double *out)
{
    struct dd below = denominator(context, query);

    for (size_t j = 0; j < count; j++)
        out[j] = psi_at(context, below, query - keys[j]).hi;
}

static void fill_bias(const void *context, size_t head, double query, const double *keys,
                      size_t count, double *out)
{
    const struct state *s = context;
    const struct mlp mlp = mlp_of(s->fire);
    const struct causal *future = &s->fire->distances.future;
    struct dd below = denominator(s, query), psi;

    for (size_t j = 0; j < count; j++) {
        bool after = future->causal && keys[j] > query;

        if (after && future->future == CAUSAL_MASKED) {
            out[j] = s->mask;
            continue;
        }
        psi = psi_at(s, below, after ? 0 : query - keys[j]);
        out[j] = mlp_answer(&mlp, head, &psi, 1).hi;
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct fire *f = values;
    const struct pe_args *args = pe_build_args(build);
    struct state *s = pe_build_alloc(build, sizeof *s);

    if (!s)
        return;
    s->fire = f;
    s->threshold = elementary_product(fabs(f->l_multiplier), f->l);
    s->mask = causal_mask(args, f->distances.future.mask_value, BIAS);
    s->psi = (struct toeplitz){.context = s,
                               .row = fill_psi,
                               .heads = 1,
                               .q = f->distances.pairs.q,
                               .k = f->distances.pairs.k,
                               .ns = 300};
    s->bias = s->psi;
    s->bias.row = fill_bias;
    s->bias.heads = f->w2.rows;
    s->bias.ns += 30 * (double)f->w2.cols;
    toeplitz_fill(build, BIAS, &s->bias);
    toeplitz_fill(build, PSI, &s->psi);
}

const struct pe_encoding pe_encoding_fire = {
    .name = "fire",
    .title = "FIRE",
    .formula =
        "psi(i, j) = ln(1 + |c (i - j)|) / (ln(1 + |c max(i, |l_multiplier l|)|) + eps); "
        "bias = w2 relu(w1 psi + b1) + b2",
    .when_to_use =
        "FIRE makes the bias of any length from a small learned network, since distances are "
        "shares of the position of the query. kerple and alibi need no network.",
    .what_goes_wrong =
        "The denominator depends on the position of the query, so a window of a cache needs "
        "true positions. psi is computed with absolute values: a port with ln(c d + 1) and a "
        "negative c is NaN.",
    .picture = "len=48&w1=1,-2,0.5&b1=0,1,0.2&w2=-2,0.5,1;1,1,-1&l=16&causal=1&mask_value=-inf",
    .summary = "attention bias by a network of the distance's share of the context",
    .source = "Li et al. 2024, Functional Interpolation for Relative Positions, section 3; "
              "chuanyang-Zheng/DAPE positional_embeddings.py",
    .examples = PE_WORDS("len=4&w1=1,-1&w2=-2,0.5;1,1&b2=0.1,0", "len=4&out=psi&l=2",
                         "q=5:6&k=0:6&w1=1,2&b1=0,0.5&w2=1,1&causal=1"),
    .family = PE_BIAS,
    PE_TABLES_OF(struct fire, distances, params, outputs),
    .resolve = relative_bias_resolve,
    .check = check,
    .lengths = PE_WORDS("heads=w2.0"),
    .prepare = prepare,
};
