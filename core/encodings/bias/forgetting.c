/* SPDX-License-Identifier: Apache-2.0
 * forgetting.c - a bias that falls with the forget gates of the tokens between query and key.
 *
 *     bias[h][i][j] = sum over t = j+1 .. i of f[h][t] for j <= i, mask_value above
 *     f = ln of the gate as given, or scale ln sigmoid(logit)
 *     with future_gates, of which f is g: the sum over t = i+1 .. j of g[h][t] for j > i
 *
 * Lin et al. 2025, Forgetting Transformer, section 3; x-transformers' data dependent ALiBi.
 */
#include <float.h>
#include <math.h>

#include "core/encodings/bias/causal.h"
#include "core/math/number/elementary.h"
#include "core/math/tensor_row.h"

enum { BIAS };
enum { GATES, FUTURE_GATES }; /* inputs */
enum { KIND_LOG, KIND_LOGIT };

struct forgetting {
    const struct pe_positions *q;
    int gate_kind;
    double gate_scale, mask_value;
    struct pe_tensor gates, future_gates;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct forgetting, q), .type = PE_POSITIONS, .optional = true,
     .unit = "positions",
     .summary =
         "positions of the tokens that are queries, 127:128 when decoding; all by default"},
    {PE_TENSOR_TABLE(struct forgetting, gates), .required = true,
     PE_OWN("Lin et al. 2025", VECTORS, BASIC),
     .summary = "forget gate of each head and token, as heads, tokens; or of one head"},
    {PE_TENSOR_TABLE(struct forgetting, future_gates), .optional = true,
     PE_OWN("x-transformers", VECTORS, ADVANCED),
     .summary = "gates towards keys after the query, with the shape of gates"},
    {PE_FIELD(struct forgetting, gate_kind),
     PE_CHOICES(PE_ONE_AT(KIND_LOG, "log", "gates holds logarithms of the gates"),
                PE_ONE_AT(KIND_LOGIT, "logit",
                          "gates holds numbers of which a sigmoid makes the gates")),
     PE_OWN("posenc", VECTORS, BASIC), .summary = "form in which the gates are given"},
    {PE_FIELD(struct forgetting, gate_scale), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, .when = "gate_kind=logit", PE_OWN("posenc", WEIGHTS, ADVANCED),
     .summary = "factor on the logarithms of the gates"},
    CAUSAL_MASK_ROW(struct forgetting, mask_value, "!future_gates"),
};

static const struct pe_output outputs[] = {
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the attention scores", .by_default = true,
              .bound =
                  "0.501 ULP; f64 1 ULP, 2 ULP of logits; of sums above 2^-20 of their terms"},
};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct forgetting *f = values;

    tensor_row_widen(&f->gates, 2);
    tensor_row_widen(&f->future_gates, 2);
    if (f->gate_kind == KIND_LOG)
        f->gate_scale = NAN;
    if (f->future_gates.rank > 0)
        f->mask_value = NAN;
    if (f->q || f->gates.rank != 2)
        return;
    pe_args_put_slice(args, offsetof(struct forgetting, q), 0, (int64_t)f->gates.dims[1],
                      errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct forgetting *f = values;
    const struct pe_tensor *gates = &f->gates, *future = &f->future_gates;
    double low, high;

    causal_check_value(args, f->mask_value, BIAS, errors);
    if (tensor_row_check(gates, "gates", "heads,tokens", errors))
        return;
    if (future->rank > 0 && !tensor_row_check(future, "future_gates", "heads,tokens", errors) &&
        (future->dims[0] != gates->dims[0] || future->dims[1] != gates->dims[1]))
        pe_fail(errors, PE_CONFLICT, "future_gates",
                "must have the shape of gates, %llu heads of %llu",
                (unsigned long long)gates->dims[0], (unsigned long long)gates->dims[1]);
    pe_positions_range(f->q, &low, &high);
    if (low < 0 || high >= (double)gates->dims[1])
        pe_fail(errors, PE_OUT_OF_RANGE, "q", "must be tokens of gates, 0..%llu",
                (unsigned long long)gates->dims[1] - 1);
}

/* ---- sums -------------------------------------------------------------------------------- */

struct state {
    const struct forgetting *forgetting;
    double mask;
};

static void read_gates(const struct forgetting *f, const struct pe_tensor *gates,
                       const void *data, uint64_t head, double *out)
{
    tensor_row(gates, data, head, 0, gates->dims[1], out);
    for (uint64_t t = 0; f->gate_kind == KIND_LOGIT && t < gates->dims[1]; t++)
        out[t] = -elementary_softplus(-out[t]);
}

static struct dd add(struct dd sum, double gate)
{
    struct dd next = elementary_add(sum, (struct dd){gate, 0});

    return isfinite(next.hi + next.lo) ? next : (struct dd){sum.hi + gate, 0};
}

static double scaled(const struct forgetting *f, struct dd sum)
{
    if (f->gate_kind == KIND_LOG || !isfinite(sum.hi))
        return sum.hi;
    return elementary_multiply(sum, (struct dd){f->gate_scale, 0}).hi;
}

/* Fills the columns of the rectangle for the query at token `at`. Each sum starts at the query
 * and adds gates outwards. */
static void fill_row(const struct state *s, const double *past, const double *future,
                     uint64_t at, const struct pe_rect *rect, double *out)
{
    uint64_t end = rect->col + rect->cols;
    struct dd sum = {0, 0};

    for (uint64_t j = at + 1; j-- > rect->col;) {
        if (j < at)
            sum = add(sum, past[j + 1]);
        if (j < end)
            out[j - rect->col] = scaled(s->forgetting, sum);
    }
    sum = (struct dd){0, 0};
    for (uint64_t j = at + 1; j < end; j++) {
        if (future)
            sum = add(sum, future[j]);
        if (j >= rect->col)
            out[j - rect->col] = future ? scaled(s->forgetting, sum) : s->mask;
    }
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct state *s = state;
    const struct forgetting *f = s->forgetting;
    uint64_t queries = pe_positions_count(f->q), last = UINT64_MAX;
    bool both = f->future_gates.rank > 0;
    double *past = scratch, *future = both ? past + f->gates.dims[1] : NULL;

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / queries, query = (rect->row + row) % queries;

        if (head != last) {
            read_gates(f, &f->gates, input[GATES], head, past);
            if (both)
                read_gates(f, &f->future_gates, input[FUTURE_GATES], head, future);
        }
        last = head;
        fill_row(s, past, future, (uint64_t)pe_positions_at(f->q, query), rect,
                 out[0] + row * rect->cols);
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    return 2 * ((const struct state *)state)->forgetting->gates.dims[1] * sizeof(double);
}

/* All gates are read for each head of a block, and those from the query to the block are added
 * for each of its rows: half of them, of a row that is longer than a block. */
static double cost(const void *state, enum pe_dtype dtype)
{
    const struct forgetting *f = ((const struct state *)state)->forgetting;

    const double tokens = (double)f->gates.dims[1];
    const double read = f->gate_kind == KIND_LOGIT ? 250 : 2;

    return 10 + tokens * (read + (tokens > PE_FILL_BLOCK ? 5 : 0)) / PE_FILL_BLOCK;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

static void prepare(struct pe_build *build, const void *values)
{
    const struct forgetting *f = values;
    const struct state s = {f, causal_mask(pe_build_args(build), f->mask_value, BIAS)};

    pe_build_fill_copy(build, BIAS, &filler, &s, sizeof s);
}

const struct pe_encoding pe_encoding_forgetting = {
    .name = "forgetting",
    .title = "Forgetting Transformer",
    .formula = "bias[h][i][j] = sum over t = j + 1 .. i of f[h][t] for j <= i; f = ln gate, or "
               "gate_scale ln sigmoid(logit)",
    .when_to_use =
        "The Forgetting Transformer (FoX) and data-dependent ALiBi of x-transformers learn "
        "how fast each head forgets, from the tokens themselves. They need no other position "
        "encoding.",
    .what_goes_wrong =
        "The gate of the key itself is not in the sum: it runs from the token after the key "
        "to the query. A cumulative sum in float16 loses the small differences; the sum must "
        "be formed before it is rounded.",
    .picture =
        "gates=-0.25,-0.05,-0.05,-0.05,-0.05,-0.25,-0.05,-0.05,-0.05,-0.05,-0.25,-0.05,-0.05,"
        "-0.05,-0.05,-0.25,-0.05,-0.05,-0.05,-0.05,-0.25,-0.05,-0.05,-0.05,-0.05,-0.25,-0.05,"
        "-0.05,-0.05,-0.05,-0.25,-0.05;-0.07,-0.27,-0.07,-0.07,-0.07,-0.07,-0.27,-0.07,-0.07,"
        "-0.07,-0.07,-0.27,-0.07,-0.07,-0.07,-0.07,-0.27,-0.07,-0.07,-0.07,-0.07,-0.27,-0.07,"
        "-0.07,-0.07,-0.07,-0.27,-0.07,-0.07,-0.07,-0.07,-0.27&mask_value=-inf",
    .summary = "attention bias by the forget gates between query and key",
    .source = "Lin et al. 2025, Forgetting Transformer, section 3; x-transformers",
    .examples = PE_WORDS("gates=-0.1,-0.2,-0.3", "gates=1,2;3,4&gate_kind=logit&gate_scale=0.5",
                         "gates=-0.1,-0.2,-0.3&future_gates=-1,-2,-3&q=1:3"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct forgetting, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("heads=gates.0", "k=gates.1"),
    .prepare = prepare,
};
