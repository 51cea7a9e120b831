/* SPDX-License-Identifier: Apache-2.0
 * wavlm_bias.c - T5's bias by buckets, times a gate that each query computes from its content:
 *
 *     a, b = sigmoid of the sums of rows 0..3 and 4..7 of W x_h + w
 *     gate[h][q] = a (b c_h - 1) + 2     bias[h][q][k] = gate[h][q] table[bucket(k - q)][h]
 *
 * x_h is the part of the query's hidden state that belongs to head h. Chen et al. 2022, WavLM,
 * section 3.2, after Chi et al. 2022, XLM-E; transformers modeling_wavlm.py. */
#include <math.h>

#include "core/encodings/bias/query_key.h"
#include "core/encodings/bias/t5_buckets.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/mlp.h"
#include "core/math/tensor_row.h"

enum { GATE, BIAS };
enum { HIDDEN, TABLE, WEIGHT }; /* inputs */
enum { GATES = 2, ROWS_EACH = 4, RUN = 256 };

struct wavlm_bias {
    struct query_key pairs;
    int64_t num_buckets, max_distance;
    struct pe_reals gate_bias, gate_const;
    struct pe_tensor hidden, table, gate_weight;
};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct wavlm_bias, pairs),
    {PE_FIELD(struct wavlm_bias, num_buckets), .type = PE_INT, .min = 4,
     .max = BUCKET_COUNT_MAX, .preset = 320},
    {PE_FIELD(struct wavlm_bias, max_distance), .type = PE_INT, .min = 2, .max = 0x1p40,
     .preset = 800},
    {PE_WEIGHTS(struct wavlm_bias, gate_bias), .required = true,
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "eight numbers that are added (bias of gru_rel_pos_linear)"},
    {PE_WEIGHTS(struct wavlm_bias, gate_const), .required = true,
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "a number a head by which the second gate is multiplied (gru_rel_pos_const)"},
    {PE_TENSOR_TABLE(struct wavlm_bias, hidden), .required = true,
     PE_OWN("transformers", VECTORS, BASIC),
     .summary = "hidden states of the queries, a row a token: the heads side by side"},
    {PE_TENSOR_TABLE(struct wavlm_bias, table), .required = true,
     .summary = "learned biases, a row a bucket, a column a head (rel_attn_embed)"},
    {PE_TENSOR_TABLE(struct wavlm_bias, gate_weight), .required = true,
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary = "eight rows of the width of a head (weight of gru_rel_pos_linear)"},
};

#define GATE_NAMES "gate_bias", "gate_const", "hidden", "gate_weight"
static const char bound[] = "0.501 ULP; f64 1 ULP, where terms cancel 2^-54 of their size";

static const struct pe_output outputs[] = {
    [GATE] = {PE_OUTPUT("gate", PE_F32, "heads", "q"), .label = "Gates",
              .summary = "factor of each head and query on its biases",
              .uses = PE_WORDS(GATE_NAMES), .bound = bound},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Gated bias",
              .one_of = QUERY_KEY_ONE_OF, .by_default = true,
              .summary = "bias that is added to the scaled attention scores", .bound = bound},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const bool wanted = pe_wants(args, BIAS);
    struct wavlm_bias *w = values;

    tensor_row_widen(&w->hidden, 2);
    query_key_resolve(args, offsetof(struct wavlm_bias, pairs), wanted, wanted, errors);
}

static uint64_t heads_of(const struct wavlm_bias *w)
{
    return w->hidden.dims[1] / w->gate_weight.dims[1];
}

static void check_gate(const struct wavlm_bias *w, struct pe_errors *errors)
{
    if (tensor_row_check(&w->hidden, "hidden", "tokens,heads*head_dim", errors) ||
        tensor_row_check(&w->gate_weight, "gate_weight", "8,head_dim", errors))
        return;
    if (w->gate_weight.dims[0] != GATES * ROWS_EACH)
        pe_fail(errors, PE_CONFLICT, "gate_weight", "must have 8 rows; got %llu",
                (unsigned long long)w->gate_weight.dims[0]);
    else if (w->gate_bias.cols != GATES * ROWS_EACH)
        pe_fail(errors, PE_CONFLICT, "gate_bias", "must have 8 numbers; got %zu",
                w->gate_bias.cols);
    else if (w->hidden.dims[1] % w->gate_weight.dims[1] != 0)
        pe_fail(errors, PE_CONFLICT, "hidden",
                "must be as wide as whole heads of %llu elements; got %llu",
                (unsigned long long)w->gate_weight.dims[1],
                (unsigned long long)w->hidden.dims[1]);
    else if (w->gate_const.cols != heads_of(w))
        pe_fail(errors, PE_CONFLICT, "gate_const", "must have a number a head, %llu; got %zu",
                (unsigned long long)heads_of(w), w->gate_const.cols);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct wavlm_bias *w = values;

    check_gate(w, errors);
    if (errors->count > 0 || !pe_wants(args, BIAS))
        return;
    t5_buckets_check(w->num_buckets, w->max_distance, true, errors);
    if (errors->count > 0 ||
        lookup_check_bias(&w->table, "table", (uint64_t)w->num_buckets, false, errors))
        return;
    if (w->table.dims[1] != heads_of(w))
        pe_fail(errors, PE_CONFLICT, "table", "must have a column a head, %llu; got %llu",
                (unsigned long long)heads_of(w), (unsigned long long)w->table.dims[1]);
    else if (pe_positions_count(w->pairs.q) != w->hidden.dims[0])
        pe_fail(errors, PE_CONFLICT, "hidden", "must have a row a query, %llu; got %llu",
                (unsigned long long)pe_positions_count(w->pairs.q),
                (unsigned long long)w->hidden.dims[0]);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct wavlm_bias *w = values;

    dims[0] = heads_of(w);
    dims[1] = w->hidden.dims[0];
    if (output == GATE)
        return 2;
    query_key_shape(&w->pairs, dims + 1);
    return 3;
}

/* ---- gates ------------------------------------------------------------------------------- */

/* Returns the sum of four rows of W x + w, for the first gate or the second. */
static struct dd logit(const struct wavlm_bias *w, uint64_t head, uint64_t query, size_t gate,
                       const void *const input[])
{
    const uint64_t width = w->gate_weight.dims[1];
    struct dd sum = {0, 0};
    double x[RUN], row[RUN];

    for (size_t r = gate * ROWS_EACH; r < (gate + 1) * ROWS_EACH; r++) {
        sum = elementary_add(sum, (struct dd){w->gate_bias.values[r], 0});
        for (uint64_t c = 0; c < width; c += RUN) {
            const size_t run = width - c < RUN ? (size_t)(width - c) : RUN;

            tensor_row(&w->hidden, input[HIDDEN], query, head * width + c, run, x);
            tensor_row(&w->gate_weight, input[WEIGHT], r, c, run, row);
            sum = dot_add(sum, x, row, run);
        }
    }
    return sum;
}

static struct dd gate_of(const struct wavlm_bias *w, uint64_t head, uint64_t query,
                         const void *const input[])
{
    const struct dd a = mlp_share(logit(w, head, query, 0, input));
    const struct dd b = mlp_share(logit(w, head, query, 1, input));
    const struct dd by = elementary_multiply(b, (struct dd){w->gate_const.values[head], 0});

    return elementary_add(elementary_multiply(a, elementary_add(by, (struct dd){-1, 0})),
                          (struct dd){2, 0});
}

static double gate_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct dd gate = gate_of(state, row, col, input);

    return gate.hi + gate.lo;
}

/* ---- biases ------------------------------------------------------------------------------ */

struct gated {
    const struct wavlm_bias *bias;
    const struct t5_buckets *buckets;
};

static void fill_bias(const void *state, const struct pe_rect *rect, double *const out[],
                      const void *const input[], void *scratch)
{
    const struct gated *g = state;
    const struct wavlm_bias *w = g->bias;
    const uint64_t queries = w->hidden.dims[0], heads = heads_of(w);

    for (uint64_t r = 0; out[0] && r < rect->rows; r++) {
        const uint64_t head = (rect->row + r) / queries, query = (rect->row + r) % queries;
        const struct dd gate = gate_of(w, head, query, input);
        const double at = pe_positions_at(w->pairs.q, query);

        for (uint64_t c = 0; c < rect->cols; c++) {
            const double key = pe_positions_at(w->pairs.k, rect->col + c);
            const uint64_t bucket = (uint64_t)t5_buckets_of(g->buckets, at - key);
            const double learned =
                tensor_row_at(&w->table, input[TABLE], bucket * heads + head);
            const struct dd value = elementary_multiply(gate, (struct dd){learned, 0});

            out[0][r * rect->cols + c] =
                isfinite(learned) ? value.hi + value.lo : gate.hi * learned;
        }
    }
}

static double gate_cost(const void *state, enum pe_dtype dtype)
{
    const struct wavlm_bias *w = state;

    return 300 + 60 * (double)w->gate_weight.dims[1];
}

/* A query's gate is computed once for each block of a row. */
static double bias_cost(const void *state, enum pe_dtype dtype)
{
    const struct gated *g = state;
    const double keys = fmax((double)pe_positions_count(g->bias->pairs.k), 1);

    return 25 + gate_cost(g->bias, dtype) / fmin(keys, PE_FILL_BLOCK);
}

static const struct pe_filler gate_filler = {.element = gate_at, .cost = gate_cost};
static const struct pe_filler bias_filler = {.reference = fill_bias, .cost = bias_cost};

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 2000 * (double)((const struct wavlm_bias *)values)->num_buckets;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct wavlm_bias *w = values;
    struct gated gated = {.bias = w};

    pe_build_fill(build, GATE, &gate_filler, w);
    if (!pe_build_wants(build, BIAS))
        return;
    gated.buckets = t5_buckets_new(build, w->num_buckets, w->max_distance, true);
    if (gated.buckets)
        pe_build_fill_copy(build, BIAS, &bias_filler, &gated, sizeof gated);
}

const struct pe_encoding pe_encoding_wavlm_bias = {
    .name = "wavlm-bias",
    .title = "WavLM's gated relative position bias",
    .formula =
        "a, b = sigmoid(sum of rows 0..3), sigmoid(sum of rows 4..7) of W x_h + w\n"
        "gate[h][q] = a (b c_h - 1) + 2, bias[h][q][k] = gate[h][q] table[bucket(k - q)][h]",
    .when_to_use =
        "WavLM, whose first layer has the table (320 buckets up to distance 800) and whose "
        "every layer has gates of its own. t5 is the bias without gates.",
    .what_goes_wrong =
        "The gates read the hidden states that enter the attention, before its projections, "
        "head by head. The first layer computes the table's biases once; later layers gate "
        "the same ones by their own weights.",
    .picture = "len=12&num_buckets=8&max_distance=12&table=0;-1;-2;-3;0;-1.5;-2.5;-3.5&"
               "hidden=0;1;2;3;4;5;6;7;8;9;10;11&gate_weight=0.1;0;0;0;-0.1;0;0;0&"
               "gate_bias=0,0,0,0,0,0,0,0&gate_const=1",
    .summary = "T5's bias, times a gate that each query computes from its content (WavLM)",
    .source = "Chen et al. 2022, WavLM, section 3.2; Chi et al. 2022, XLM-E; transformers "
              "modeling_wavlm.py",
    .examples = PE_WORDS(
        "len=2&num_buckets=4&max_distance=4&table=1;2;3;4&hidden=0,0;1,2&"
        "gate_weight=1,0;0,1;0,0;0,0;0,0;1,0;0,0;0,0&gate_bias=0,0,0,0,0,0,0,0&gate_const=1",
        "hidden=0,0;1,2&gate_weight=1;0;0;0;0;1;0;0&gate_bias=0,0,0,0,0,0,0,1&"
        "gate_const=1,0.5&out=gate"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct wavlm_bias, params, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
