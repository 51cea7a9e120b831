/* SPDX-License-Identifier: Apache-2.0
 * grape_a.c - ALiBi's bias times a rate that the query and the key compute from their content:
 *
 *     bias[h][i][j] = -(i - j) omega_h m_h (g[h][i] + u[h][j]) for j <= i, mask_value above
 *     g, u = ln(1 + exp logit), or as given; m: ALiBi's slopes
 *
 * Zhang et al. 2025, GRAPE (Group Representational Position Encoding), additive GRAPE;
 * model-architectures/GRAPE model/llama-mha-grape-a-querykeygated.py and its relatives with one
 * gate. Rates of 1 are ALiBi; sums of gates between query and key are forgetting. */
#include <math.h>

#include "core/encodings/bias/causal.h"
#include "core/math/number/elementary.h"
#include "core/math/relative/slopes.h"
#include "core/math/tensor_row.h"

enum { BIAS };
enum { QUERY_GATES, KEY_GATES }; /* inputs */
enum { KIND_LOGIT, KIND_RATE };

struct grape_a {
    const struct pe_positions *q;
    int gate_kind;
    double mask_value;
    struct pe_reals slopes, omega;
    struct pe_tensor query_gates, key_gates;
};

#define OWN(CATEGORY, LEVEL) PE_OWN("model-architectures/GRAPE", CATEGORY, LEVEL)

static const struct pe_param params[] = {
    {PE_FIELD(struct grape_a, q), .type = PE_POSITIONS, .optional = true, .unit = "positions",
     .summary =
         "positions of the tokens that are queries, 127:128 when decoding; all by default"},
    {PE_TENSOR_TABLE(struct grape_a, query_gates), .optional = true, OWN(VECTORS, BASIC),
     .summary = "gate of each head and query (v . q / sqrt(dim)), as heads, tokens; or of one "
                "head"},
    {PE_TENSOR_TABLE(struct grape_a, key_gates), .optional = true, OWN(VECTORS, BASIC),
     .summary = "gate of each head and key (u . k / sqrt(dim)), with the shape of query_gates"},
    {PE_FIELD(struct grape_a, gate_kind),
     PE_CHOICES(PE_ONE_AT(KIND_LOGIT, "logit",
                          "gates holds numbers of which softplus makes the rates"),
                PE_ONE_AT(KIND_RATE, "rate", "gates holds the rates themselves")),
     PE_OWN("posenc", VECTORS, BASIC), .summary = "form in which the gates are given"},
    {PE_FIELD(struct grape_a, slopes), .type = PE_REALS, .min = 0, .max = 1e18,
     OWN(DISTANCE, ADVANCED),
     .summary = "slopes of the heads; by default ALiBi's for their number"},
    {PE_FIELD(struct grape_a, omega), .type = PE_REALS, .min = 0, .max = 1e18,
     OWN(WEIGHTS, BASIC),
     .summary = "factors of the slopes, one number or one a head (softplus of the parameter "
                "omega); 1 by default"},
    CAUSAL_MASK_ROW(struct grape_a, mask_value, NULL),
};

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .one_of = "query_gates|key_gates",
              .summary = "bias that is added to the attention scores", .by_default = true,
              .bound = "0.501 ULP; f64 2 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

/* Returns the tensor that decides the shape. */
static const struct pe_tensor *gates_of(const struct grape_a *g)
{
    return g->query_gates.rank > 0 ? &g->query_gates : &g->key_gates;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct grape_a *g = values;

    tensor_row_widen(&g->query_gates, 2);
    tensor_row_widen(&g->key_gates, 2);
    if (!g->q && gates_of(g)->rank == 2)
        pe_args_put_slice(args, offsetof(struct grape_a, q), 0, (int64_t)gates_of(g)->dims[1],
                          errors);
}

static void check_list(const struct pe_reals *list, const char *name, bool one, uint64_t heads,
                       struct pe_errors *errors)
{
    if (list->cols > 0 && list->cols != heads && !(one && list->cols == 1))
        pe_fail(errors, PE_CONFLICT, name, "must have %s a head, %llu; got %zu",
                one ? "one number or one" : "one number", (unsigned long long)heads,
                list->cols);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct grape_a *g = values;
    const struct pe_tensor *query = &g->query_gates, *key = &g->key_gates, *gates = gates_of(g);
    double low, high;

    causal_check_value(args, g->mask_value, BIAS, errors);
    if (gates->rank == 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "query_gates", "must be given, or key_gates");
    if ((query->rank > 0 && tensor_row_check(query, "query_gates", "heads,tokens", errors)) ||
        (key->rank > 0 && tensor_row_check(key, "key_gates", "heads,tokens", errors)) ||
        gates->rank == 0)
        return;
    if (query->rank > 0 && key->rank > 0 &&
        (query->dims[0] != key->dims[0] || query->dims[1] != key->dims[1]))
        pe_fail(errors, PE_CONFLICT, "key_gates",
                "must have the shape of query_gates, %llu heads of %llu",
                (unsigned long long)query->dims[0], (unsigned long long)query->dims[1]);
    check_list(&g->slopes, "slopes", false, gates->dims[0], errors);
    check_list(&g->omega, "omega", true, gates->dims[0], errors);
    pe_positions_range(g->q, &low, &high);
    if (low < 0 || high >= (double)gates->dims[1])
        pe_fail(errors, PE_OUT_OF_RANGE, "q", "must be tokens of the gates, 0..%llu",
                (unsigned long long)gates->dims[1] - 1);
}

/* ---- biases ------------------------------------------------------------------------------ */

struct state {
    const struct grape_a *values;
    const struct slope *slopes;
    uint64_t tokens, queries;
    double mask;
};

static double rate_of(const struct grape_a *g, double gate)
{
    return g->gate_kind == KIND_LOGIT ? elementary_softplus(gate) : gate;
}

/* Reads the rates of the keys of a head in the rectangle's columns; 0 where only queries have
 * gates. */
static void read_keys(const struct state *s, const void *const input[], uint64_t head,
                      const struct pe_rect *rect, double *out)
{
    const struct pe_tensor *gates = &s->values->key_gates;

    if (gates->rank > 0)
        tensor_row(gates, input[KEY_GATES], head, rect->col, rect->cols, out);
    for (uint64_t t = 0; t < rect->cols; t++)
        out[t] = gates->rank > 0 ? rate_of(s->values, out[t]) : 0;
}

static double query_rate(const struct state *s, const void *const input[], uint64_t head,
                         uint64_t at)
{
    const struct pe_tensor *gates = &s->values->query_gates;

    return gates->rank == 0 ? 0
                            : rate_of(s->values, tensor_row_at(gates, input[QUERY_GATES],
                                                               head * s->tokens + at));
}

static double bias_of(struct slope slope, double query, double key, double distance)
{
    const struct dd rate = elementary_sum(query, key);
    struct dd bias;

    if (distance == 0 || !isfinite(rate.hi + rate.lo))
        return distance == 0 ? 0 : -distance * slope.hi * rate.hi;
    bias = elementary_multiply((struct dd){slope.hi, slope.lo}, (struct dd){-distance, 0});
    bias = elementary_multiply(bias, rate);
    return bias.hi + bias.lo;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    uint64_t last = UINT64_MAX;
    double *keys = scratch;

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const uint64_t head = (rect->row + r) / s->queries;
        const uint64_t at =
            (uint64_t)pe_positions_at(s->values->q, (rect->row + r) % s->queries);
        const double query = query_rate(s, input, head, at);

        if (head != last)
            read_keys(s, input, head, rect, keys);
        last = head;
        for (uint64_t c = 0; c < rect->cols; c++) {
            const uint64_t key = rect->col + c;

            out[0][r * rect->cols + c] =
                key > at ? s->mask
                         : bias_of(s->slopes[head], query, keys[c], (double)(at - key));
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const uint64_t tokens = ((const struct state *)state)->tokens;

    return (tokens < PE_FILL_BLOCK ? tokens : PE_FILL_BLOCK) * sizeof(double);
}

/* The gates of a block's columns are read once for each head of it. */
static double cost(const void *state, enum pe_dtype dtype)
{
    const struct state *s = state;

    const double columns = fmin((double)s->tokens, PE_FILL_BLOCK);

    return 18 + columns * (s->values->gate_kind == KIND_LOGIT ? 250 : 2) / PE_FILL_BLOCK;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 2000 * (double)gates_of(values)->dims[0];
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct grape_a *g = values;
    const size_t heads = (size_t)gates_of(g)->dims[0];
    struct slope *slopes = pe_build_alloc(build, heads * sizeof *slopes);
    struct state s = {g, slopes, gates_of(g)->dims[1], pe_positions_count(g->q),
                      causal_mask(pe_build_args(build), g->mask_value, BIAS)};

    if (!slopes)
        return;
    if (g->slopes.cols == 0)
        slopes_fill(slopes, heads, 8, SLOPES_PAPER);
    for (size_t h = 0; h < heads; h++) {
        const double omega =
            g->omega.cols == 0 ? 1 : g->omega.values[g->omega.cols == 1 ? 0 : h];
        const struct slope slope =
            g->slopes.cols == 0 ? slopes[h] : (struct slope){g->slopes.values[h], 0};

        slopes[h] = slopes_scale(slope, omega);
    }
    pe_build_fill_copy(build, BIAS, &filler, &s, sizeof s);
}

const struct pe_encoding pe_encoding_grape_a = {
    .name = "grape-a",
    .title = "GRAPE-A: ALiBi gated by content",
    .formula = "bias[h][i][j] = -(i - j) omega_h m_h (softplus(query_gate[h][i]) + "
               "softplus(key_gate[h][j])) for j <= i",
    .when_to_use =
        "Additive GRAPE: a linear bias whose rate the query, the key or both decide. alibi has "
        "rates of 1, forgetting sums gates of the tokens between query and key.",
    .what_goes_wrong =
        "The gates are scalar products divided by sqrt(head_dim), of vectors u and v that the "
        "authors normalise to length 1, and of q and k after their RMSNorm. omega is positive: "
        "the checkpoint holds the number of which it is the softplus.",
    .picture = "query_gates=0,0.5,1,0,-1,0.5,0,2,1,0,-0.5,0;1,-1,0,1,0,-1,1,0,-1,0,1,0&"
               "key_gates=0,0,3,0,0,0,2,0,0,0,1,0;1,0,0,1,0,0,1,0,0,1,0,0&mask_value=-inf",
    .summary = "linear bias whose rate queries and keys compute from their content (GRAPE-A)",
    .source = "Zhang et al. 2025, Group Representational Position Encoding; "
              "model-architectures/GRAPE model/llama-mha-grape-a-querykeygated.py",
    .examples = PE_WORDS("query_gates=0,1,2&key_gates=1,0,-1&omega=2",
                         "key_gates=1,2,3;0.5,0,1&gate_kind=rate&slopes=1,.5&mask_value=-inf",
                         "query_gates=0,1,2&q=2:3"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct grape_a, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("heads=query_gates.0|key_gates.0", "k=query_gates.1|key_gates.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
