/* SPDX-License-Identifier: Apache-2.0
 * sink_softmax.c - softmax with one extra logit, whose share is left out of the output.
 *
 *     p_j = exp(x_j - M) / (sum_k exp(x_k - M) + exp(s - M)),   M = max(max x, s)
 *
 * gpt-oss (a learned s per head); s = 0 is softmax off by one (Miller 2023).
 */
#include "core/encoding.h"

#include <math.h>

#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { PROBABILITIES, SINK_PROBABILITY };

struct sink_softmax {
    struct pe_reals scores, sink_logit, attention_mask;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct sink_softmax, scores), .type = PE_REALS, .matrix = true, .required = true,
     .min = -3e38, .max = 3e38, .summary = "attention scores, a row a softmax: 1,2;3,4"},
    {PE_FIELD(struct sink_softmax, sink_logit), .type = PE_REALS, .min = -3e38, .max = 3e38,
     PE_OWN("gpt-oss", WEIGHTS, BASIC),
     .summary = "extra logit, one for all rows or one a row; left out: plain softmax"},
    {PE_FIELD(struct sink_softmax, attention_mask), .type = PE_REALS, .matrix = true, .min = 0,
     .max = 1, .summary = "rows of 1 (seen) and 0 (left out), with the shape of scores"},
};

static const struct pe_output outputs[] = {
    [PROBABILITIES] = {PE_OUTPUT("probabilities", PE_F32, "row", "column"),
                       .label = "Probabilities", .sign = PE_NOT_NEGATIVE,
                       .summary =
                           "probability of each key; a row sums to 1 less the probability of "
                           "the sink",
                       .by_default = true, .bound = "0.501 ULP; f64 1 ULP above 1e-300"},
    [SINK_PROBABILITY] = {PE_OUTPUT("sink_probability", PE_F32, "row"),
                          .label = "Probability of the sink", .one_of = "sink_logit",
                          .sign = PE_NOT_NEGATIVE,
                          .summary = "probability that each row gives to the sink",
                          .bound = "0.501 ULP; f64 1 ULP above 1e-300"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool seen(const struct sink_softmax *s, size_t row, size_t col)
{
    return s->attention_mask.rows == 0 ||
           s->attention_mask.values[row * s->attention_mask.cols + col] != 0;
}

static void check_mask(const struct sink_softmax *s, struct pe_errors *errors)
{
    for (size_t i = 0; i < s->attention_mask.rows * s->attention_mask.cols; i++) {
        if (s->attention_mask.values[i] != 0 && s->attention_mask.values[i] != 1) {
            pe_fail(errors, PE_BAD_VALUE, "attention_mask", "must hold 0 and 1; got %g",
                    s->attention_mask.values[i]);
            return;
        }
    }
    if (s->attention_mask.rows != s->scores.rows || s->attention_mask.cols != s->scores.cols) {
        pe_fail(errors, PE_CONFLICT, "attention_mask",
                "must have the shape of scores, %zu rows of %zu; got %zu of %zu",
                s->scores.rows, s->scores.cols, s->attention_mask.rows, s->attention_mask.cols);
        return;
    }
    for (size_t row = 0, col; row < s->attention_mask.rows && s->sink_logit.rows == 0; row++) {
        for (col = 0; col < s->attention_mask.cols && !seen(s, row, col); col++)
            ;
        if (col == s->attention_mask.cols) {
            pe_fail(errors, PE_CONFLICT, "attention_mask",
                    "leaves nothing in row %zu, whose softmax is then undefined; give "
                    "sink_logit",
                    row);
            return;
        }
    }
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sink_softmax *s = values;

    if (s->sink_logit.rows > 0 && s->sink_logit.cols != 1 &&
        s->sink_logit.cols != s->scores.rows)
        pe_fail(errors, PE_CONFLICT, "sink_logit",
                "must have one number, or one a row of scores, %zu; got %zu", s->scores.rows,
                s->sink_logit.cols);
    else if (s->sink_logit.rows == 0 && pe_wants(args, SINK_PROBABILITY))
        pe_fail(errors, PE_MISSING_PARAMETER, "sink_logit",
                "is required for out=sink_probability");
    else if (s->attention_mask.rows > 0)
        check_mask(s, errors);
}

/* ---- one row ----------------------------------------------------------------------------- */

/* Returns exp(x - most) for x <= most. */
static struct dd weight(double x, double most)
{
    struct dd below = elementary_sum(x, -most);

    if (below.hi < -700)
        return (struct dd){elementary_exp(below), 0};
    return elementary_exp_dd(below);
}

/* Writes the shares of the row's scores, unless shares is NULL. Returns the sink's share. */
static double fill_row(const struct sink_softmax *s, size_t row, double *shares)
{
    const double *x = s->scores.values + row * s->scores.cols;
    double sink = s->sink_logit.rows ? s->sink_logit.values[s->sink_logit.cols == 1 ? 0 : row]
                                     : -INFINITY;
    double most = sink;
    struct dd total = {0, 0}, share = {0, 0};

    for (size_t col = 0; col < s->scores.cols; col++)
        most = seen(s, row, col) && x[col] > most ? x[col] : most;
    for (size_t col = 0; col < s->scores.cols; col++)
        if (seen(s, row, col))
            total = elementary_add(total, weight(x[col], most));
    if (s->sink_logit.rows)
        total = elementary_add(total, weight(sink, most));
    for (size_t col = 0; shares && col < s->scores.cols; col++) {
        share = seen(s, row, col) ? elementary_divide(weight(x[col], most), total)
                                  : (struct dd){0, 0};
        shares[col] = share.hi + share.lo;
    }
    share =
        s->sink_logit.rows ? elementary_divide(weight(sink, most), total) : (struct dd){0, 0};
    return share.hi + share.lo;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct sink_softmax *s = values;

    return (pe_wants(args, PROBABILITIES) ? 250 : 130) * (double)s->scores.rows *
           (double)(s->scores.cols + 1);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct sink_softmax *s = values;
    const struct pe_args *args = pe_build_args(build);
    double *shares = NULL, *sinks = NULL;

    if (pe_wants(args, PROBABILITIES))
        shares = precomputed_new(build, PROBABILITIES, s->scores.rows, s->scores.cols);
    if (pe_wants(args, SINK_PROBABILITY))
        sinks = precomputed_new(build, SINK_PROBABILITY, 1, s->scores.rows);
    if ((!shares && pe_wants(args, PROBABILITIES)) ||
        (!sinks && pe_wants(args, SINK_PROBABILITY)))
        return;
    for (size_t row = 0; row < s->scores.rows; row++) {
        double share = fill_row(s, row, shares ? shares + row * s->scores.cols : NULL);

        if (pe_build_stopped(build))
            return;
        if (sinks)
            sinks[row] = share;
    }
}

const struct pe_encoding pe_encoding_sink_softmax = {
    .name = "sink-softmax",
    .title = "Softmax with a sink",
    .formula =
        "p_j = exp(x_j - M) / (sum over k of exp(x_k - M) + exp(s - M)), M = max(max x, s)",
    .when_to_use =
        "gpt-oss learns one extra logit a head, to which a query may attend in place of any "
        "token; s = 0 is softmax off by one.",
    .what_goes_wrong =
        "The sink takes part in the maximum and in the sum and has no value vector: dropping "
        "its column after a plain softmax is right, dropping it before is not. The logit is "
        "not scaled by dim^-0.5.",
    .picture =
        "scores=0,1.567,1.948,0.855,-0.885,-1.955,-1.546,0.034;1.927,1.617,0.083,-1.514,"
        "-1.965,-0.929,0.81,1.936;1.031,-0.702,-1.903,-1.665,-0.166,1.458,1.979,1.002;-1.376,"
        "-1.992,-1.101,0.623,1.876,1.709,0.249,-1.4;-1.767,-0.364,1.314,1.998,1.17,-0.544,"
        "-1.846,-1.751;0.43,1.797,1.804,0.446,-1.25,-2,-1.236,0.463;1.997,1.326,-0.349,"
        "-1.759,-1.839,-0.526,1.184,1.999;0.638,-1.088,-1.991,-1.387,0.266,1.718,1.87,0.606&"
        "sink_logit=1",
    .summary = "softmax with one extra logit that is left out of the answer",
    .source = "gpt-oss torch/model.py; Miller 2023, Attention Is Off By One; ggml soft_max",
    .examples = PE_WORDS("scores=1,2&sink_logit=0.5",
                         "scores=1,2,3;1,2,3&sink_logit=0,1&attention_mask=1,1,0;0,0,0",
                         "scores=1,2", "scores=1,2;3,4&sink_logit=0&out=sink_probability"),
    .family = PE_BIAS,
    .kind = PE_WHOLE,
    PE_TABLES(struct sink_softmax, params, outputs),
    .check = check,
    .lengths = PE_WORDS("row=scores.0", "column=scores.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
