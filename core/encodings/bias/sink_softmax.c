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
    struct pe_reals logits, sink, mask;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct sink_softmax, logits), .type = PE_REALS, .matrix = true, .required = true,
     .min = -3e38, .max = 3e38, .summary = "scores, one row a softmax: 1,2;3,4"},
    {PE_FIELD(struct sink_softmax, sink), .type = PE_REALS, .min = -3e38, .max = 3e38,
     .summary = "the extra logit, one for all rows or one a row; none: plain softmax"},
    {PE_FIELD(struct sink_softmax, mask), .type = PE_REALS, .matrix = true, .min = 0, .max = 1,
     .summary = "rows of 1 (seen) and 0 (left out), as many as logits"},
};

static const struct pe_output outputs[] = {
    [PROBABILITIES] = {PE_OUTPUT("probabilities", PE_F32, "row", "column"),
                       .summary = "share of each score; a row sums to 1 less the sink's share",
                       .by_default = true, .bound = "0.501 ULP; f64 1 ULP above 1e-300"},
    [SINK_PROBABILITY] = {PE_OUTPUT("sink_probability", PE_F32, "row"),
                          .summary = "share of the sink",
                          .bound = "0.501 ULP; f64 1 ULP above 1e-300"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool seen(const struct sink_softmax *s, size_t row, size_t col)
{
    return s->mask.rows == 0 || s->mask.values[row * s->mask.cols + col] != 0;
}

static void check_mask(const struct sink_softmax *s, struct pe_errors *errors)
{
    for (size_t i = 0; i < s->mask.rows * s->mask.cols; i++) {
        if (s->mask.values[i] != 0 && s->mask.values[i] != 1) {
            pe_fail(errors, PE_BAD_VALUE, "mask", "must hold 0 and 1; got %g",
                    s->mask.values[i]);
            return;
        }
    }
    if (s->mask.rows != s->logits.rows || s->mask.cols != s->logits.cols) {
        pe_fail(errors, PE_CONFLICT, "mask",
                "must have the shape of logits, %zu rows of %zu; got %zu of %zu",
                s->logits.rows, s->logits.cols, s->mask.rows, s->mask.cols);
        return;
    }
    for (size_t row = 0, col; row < s->mask.rows && s->sink.rows == 0; row++) {
        for (col = 0; col < s->mask.cols && !seen(s, row, col); col++)
            ;
        if (col == s->mask.cols) {
            pe_fail(errors, PE_CONFLICT, "mask",
                    "leaves nothing in row %zu, whose softmax is then undefined; give "
                    "sink",
                    row);
            return;
        }
    }
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct sink_softmax *s = values;

    if (s->sink.rows > 0 && s->sink.cols != 1 && s->sink.cols != s->logits.rows)
        pe_fail(errors, PE_CONFLICT, "sink",
                "must have one number, or one a row of logits, %zu; got %zu", s->logits.rows,
                s->sink.cols);
    else if (s->sink.rows == 0 && pe_wants(args, SINK_PROBABILITY))
        pe_fail(errors, PE_MISSING_PARAMETER, "sink", "is required for out=sink_probability");
    else if (s->mask.rows > 0)
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
    const double *x = s->logits.values + row * s->logits.cols;
    double sink = s->sink.rows ? s->sink.values[s->sink.cols == 1 ? 0 : row] : -INFINITY;
    double most = sink;
    struct dd total = {0, 0}, share = {0, 0};

    for (size_t col = 0; col < s->logits.cols; col++)
        most = seen(s, row, col) && x[col] > most ? x[col] : most;
    for (size_t col = 0; col < s->logits.cols; col++)
        if (seen(s, row, col))
            total = elementary_add(total, weight(x[col], most));
    if (s->sink.rows)
        total = elementary_add(total, weight(sink, most));
    for (size_t col = 0; shares && col < s->logits.cols; col++) {
        share = seen(s, row, col) ? elementary_divide(weight(x[col], most), total)
                                  : (struct dd){0, 0};
        shares[col] = share.hi + share.lo;
    }
    share = s->sink.rows ? elementary_divide(weight(sink, most), total) : (struct dd){0, 0};
    return share.hi + share.lo;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct sink_softmax *s = values;

    return (pe_wants(args, PROBABILITIES) ? 250 : 130) * (double)s->logits.rows *
           (double)(s->logits.cols + 1);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct sink_softmax *s = values;
    const struct pe_args *args = pe_build_args(build);
    double *shares = NULL, *sinks = NULL;

    if (pe_wants(args, PROBABILITIES))
        shares = precomputed_new(build, PROBABILITIES, s->logits.rows, s->logits.cols);
    if (pe_wants(args, SINK_PROBABILITY))
        sinks = precomputed_new(build, SINK_PROBABILITY, 1, s->logits.rows);
    if ((!shares && pe_wants(args, PROBABILITIES)) ||
        (!sinks && pe_wants(args, SINK_PROBABILITY)))
        return;
    for (size_t row = 0; row < s->logits.rows; row++) {
        double share = fill_row(s, row, shares ? shares + row * s->logits.cols : NULL);

        if (pe_build_stopped(build))
            return;
        if (sinks)
            sinks[row] = share;
    }
}

const struct pe_encoding pe_encoding_sink_softmax = {
    .name = "sink-softmax",
    .summary = "softmax with one extra logit that is left out of the answer",
    .source = "gpt-oss torch/model.py; Miller 2023, Attention Is Off By One; ggml soft_max",
    .examples = PE_WORDS("logits=1,2&sink=0.5", "logits=1,2,3;1,2,3&sink=0,1&mask=1,1,0;0,0,0",
                         "logits=1,2", "logits=1,2;3,4&sink=0&out=sink_probability"),
    .family = PE_BIAS,
    .kind = PE_WHOLE,
    PE_TABLES(struct sink_softmax, params, outputs),
    .check = check,
    .lengths = PE_WORDS("row=logits.0", "column=logits.1"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
