/* SPDX-License-Identifier: Apache-2.0
 * retnet_decay.c - retention: scores fall by a power of the distance, one base a head.
 *
 *     gamma_h = 1 - 2^(-5 - h)    D[i][j] = gamma_h^(i - j) for j <= i, else 0
 *     row_norm=sqrt_sum: D[i][j] / sqrt(sum_j D[i][j]); log: (i - j) ln gamma_h
 *
 * Sun et al. 2023, Retentive Network, section 2.1; torchscale retnet.py. Its rotation is rope
 * with the frequencies of out=inv_freq, 10000^(-k/(m-1)), k = 0 .. m-1.
 */
#include <float.h>
#include <math.h>

#include "core/encodings/bias/query_key.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"
#include "core/math/relative/toeplitz.h"
#include "core/math/trig/frequency.h"

enum { DECAY, LOG_DECAY, GAMMAS, INV_FREQ };
enum { NORM_NONE, NORM_SQRT_SUM };
enum { HEADS_MAX = 40 }; /* 1 - 2^-44 is a double whose logarithm is right */

struct retnet_decay {
    struct query_key pairs;
    int64_t heads, dim;
    int row_norm;
    double mask_value;
};

static const struct pe_word masks[] = {{"min", -DBL_MAX}, {"-inf", -INFINITY}, {NULL, 0}};

static const struct pe_param params[] = {
    QUERY_KEY_ROWS(struct retnet_decay, pairs),
    {PE_FIELD(struct retnet_decay, heads), .type = PE_INT, .required = true, .min = 1,
     .max = HEADS_MAX, .summary = "number of heads, each with a decay of its own"},
    {PE_FIELD(struct retnet_decay, row_norm),
     PE_CHOICES(PE_ONE_AT(NORM_NONE, "none", "rows are left as they are"),
                PE_ONE_AT(NORM_SQRT_SUM, "sqrt_sum",
                          "each row is divided by the root of its sum (torchscale)")),
     PE_OWN("torchscale", CONVENTION, ADVANCED),
     .summary = "how the rows of the decay are normalized"},
    {PE_FIELD(struct retnet_decay, mask_value), .type = PE_REAL, .min = -DBL_MAX,
     .max = DBL_MAX, .preset = -DBL_MAX, .words = masks,
     .summary =
         "value of log_decay for keys after the query; min is the lowest finite number of "
         "the dtype"},
    {PE_FIELD(struct retnet_decay, dim), .type = PE_INT, .required = true, .min = 2,
     .max = 65536, .multiple_of = 2,
     .summary = "width of a head, whose frequencies out=inv_freq gives"},
};

static const struct pe_output outputs[] = {
    [DECAY] = {PE_OUTPUT("decay", PE_F32, "heads", "q", "k"), .label = "Decay",
               .one_of = QUERY_KEY_ONE_OF, .sign = PE_NOT_NEGATIVE,
               .summary =
                   "factor on the score of each query and key, 0 for keys after the query",
               .by_default = true, .uses = PE_WORDS("len", "q", "k", "heads", "row_norm"),
               .bound = "0.501 ULP; f64 2 ULP"},
    [LOG_DECAY] = {PE_OUTPUT("log_decay", PE_F32, "heads", "q", "k"),
                   .label = "Logarithm of the decay", .one_of = QUERY_KEY_ONE_OF,
                   .sign = PE_NOT_POSITIVE,
                   .summary = "logarithm of the decay, mask_value for keys after the query",
                   .uses = PE_WORDS("len", "q", "k", "heads", "mask_value"),
                   .bound = "0.501 ULP; f64 0.52 ULP"},
    [GAMMAS] =
        {PE_OUTPUT("gammas", PE_F32, "heads"), .label = "Gammas", .sign = PE_NOT_NEGATIVE,
         .summary =
             "factor by which the decay of each head shrinks from one position to the next",
         .uses = PE_WORDS("heads"), .bound = "0.501 ULP; f64 exact"},
    [INV_FREQ] = {PE_OUTPUT("inv_freq", PE_F32, "pair"), .label = "Inverse frequencies",
                  .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC, .columns = PE_COLUMN_PAIR,
                  .summary = "frequency of each pair of the rotation, in radians per position",
                  .uses = PE_WORDS("dim"), .bound = "0.501 ULP; f64 0.5 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    bool matrix = pe_wants(args, DECAY) || pe_wants(args, LOG_DECAY);

    query_key_resolve(args, offsetof(struct retnet_decay, pairs), matrix, matrix, errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct retnet_decay *r = values;
    enum pe_dtype dtype = pe_args_dtype(args, LOG_DECAY);

    if (pe_wants(args, LOG_DECAY) && isfinite(r->mask_value) && r->mask_value != -DBL_MAX &&
        fabs(r->mask_value) > -pe_dtype_lowest(dtype))
        pe_fail(errors, PE_CONFLICT, "mask_value",
                "must be within +-%.9g, the range of the dtype; got %.9g",
                -pe_dtype_lowest(dtype), r->mask_value);
}

/* ---- values ------------------------------------------------------------------------------ */

struct decay {
    const struct retnet_decay *values;
    struct dd logs[HEADS_MAX]; /* ln gamma_h */
    double mask_value;
    struct toeplitz decay, log_decay;
};

static double gamma_of(size_t head)
{
    return 1 - ldexp(1, -5 - (int)head);
}

static struct dd times(struct dd log, double distance)
{
    return elementary_multiply(log, (struct dd){distance, 0});
}

/* Returns the sum of gamma^d over `count` distances d = first, first + step, ... (first >= 0,
 * step >= 1). */
static double geometric(struct dd log, double first, double step, double count)
{
    struct dd lead = times(log, first), all = times(log, step * count);
    double one = all.hi < -700 ? -1 : elementary_expm1(all).hi;
    double part = step * log.hi < -700 ? -1 : elementary_expm1(times(log, step)).hi;

    return elementary_exp(lead) * (one / part);
}

/* Sums gamma^d over a run of keys at and before the query. */
static double run_sum(struct dd log, double query, const struct pe_run *run, double length)
{
    double size = fabs((double)run->step), last = run->first + (double)run->step * (length - 1);
    double low = fmin(run->first, last), high = fmax(run->first, last), count;

    if (low > query)
        return 0;
    if (length == 1)
        return elementary_exp(times(log, query - low));
    if (high > query)
        high = low + floor((query - low) / size) * size;
    count = (high - low) / size + 1;
    return geometric(log, query - high, size, count);
}

/* Returns 1 / sqrt(sum of the row), where all keys count whatever rectangle is filled. */
static double norm_of(const struct decay *decay, size_t head, double query)
{
    const struct pe_positions *keys = decay->values->pairs.k;
    uint64_t count = pe_positions_count(keys);
    double sum = 0;

    if (decay->values->row_norm == NORM_NONE)
        return 1;
    for (uint64_t i = 0; i < count;) {
        struct pe_run run = pe_positions_run(keys, i);

        sum += run_sum(decay->logs[head], query, &run, (double)run.left);
        i += run.left;
    }
    return sum > 0 ? 1 / sqrt(sum) : 0;
}

/* Returns the decay of a difference of positions, before the row is normalized. */
static double decay_at(const void *context, size_t head, double difference)
{
    const struct decay *decay = context;

    return difference < 0 ? 0 : elementary_exp(times(decay->logs[head], difference));
}

static double log_at(const void *context, size_t head, double difference)
{
    const struct decay *decay = context;
    struct dd value = times(decay->logs[head], difference);

    return difference < 0 ? decay->mask_value : value.hi + value.lo;
}

static void fill_decay(const void *context, size_t head, double query, const double *keys,
                       size_t count, double *out)
{
    const struct decay *decay = context;
    double norm = norm_of(decay, head, query);

    for (size_t i = 0; i < count; i++)
        out[i] = norm * decay_at(decay, head, query - keys[i]);
}

static bool fill_lists(struct pe_build *build, const struct retnet_decay *r)
{
    const struct pe_args *args = pe_build_args(build);
    size_t pairs = pe_wants(args, INV_FREQ) ? (size_t)r->dim / 2 : 0;
    double *list;

    if (pe_wants(args, GAMMAS)) {
        list = precomputed_new(build, GAMMAS, 1, (uint64_t)r->heads);
        if (!list)
            return false;
        for (size_t h = 0; h < (size_t)r->heads; h++)
            list[h] = gamma_of(h);
    }
    if (pairs > 0) {
        list = precomputed_new(build, INV_FREQ, 1, pairs);
        if (!list)
            return false;
        list[0] = 1;
        for (size_t k = 1; k < pairs && !pe_build_stopped(build); k++) {
            double low;

            frequency_pow_ratio(10000, -1, (double)k, (double)(pairs - 1), &list[k], &low);
        }
    }
    return true;
}

static struct toeplitz decay_matrix(const struct retnet_decay *r, const struct decay *decay)
{
    return (struct toeplitz){.context = decay,
                             .value = r->row_norm == NORM_NONE ? decay_at : NULL,
                             .row = r->row_norm == NORM_NONE ? NULL : fill_decay,
                             .heads = (size_t)r->heads,
                             .q = r->pairs.q,
                             .k = r->pairs.k,
                             .ns = 30};
}

static struct toeplitz log_matrix(const struct retnet_decay *r, const struct decay *decay)
{
    struct toeplitz matrix = decay_matrix(r, decay);

    matrix.value = log_at;
    matrix.row = NULL;
    matrix.ns = 0;
    return matrix;
}

/* Adds up a logarithm a head, an MPFR power a pair, and the plan of the matrix. */
static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct retnet_decay *r = values;
    const double pairs = pe_wants(args, INV_FREQ) ? (double)r->dim / 2 : 0;
    const struct toeplitz matrix = decay_matrix(r, NULL);

    return 1000 * (double)(r->heads == PE_ABSENT_INT ? 0 : r->heads) + 35e3 * pairs +
           (pe_wants(args, DECAY) ? toeplitz_plan_ns(&matrix) : 0);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct retnet_decay *r = values;
    const struct pe_args *args = pe_build_args(build);
    struct decay *decay = pe_build_alloc(build, sizeof *decay);

    if (!decay || !fill_lists(build, r))
        return;
    decay->values = r;
    decay->mask_value = r->mask_value;
    if (r->mask_value == -DBL_MAX && pe_wants(args, LOG_DECAY))
        decay->mask_value = pe_dtype_lowest(pe_args_dtype(args, LOG_DECAY));
    for (size_t h = 0;
         pe_wants(args, DECAY) + pe_wants(args, LOG_DECAY) > 0 && h < (size_t)r->heads; h++)
        decay->logs[h] = elementary_log(gamma_of(h));
    decay->decay = decay_matrix(r, decay);
    decay->log_decay = log_matrix(r, decay);
    if (pe_wants(args, DECAY))
        toeplitz_fill(build, DECAY, &decay->decay);
    if (pe_wants(args, LOG_DECAY))
        toeplitz_fill(build, LOG_DECAY, &decay->log_decay);
}

const struct pe_encoding pe_encoding_retnet_decay = {
    .name = "retnet-decay",
    .title = "Retention decay (RetNet)",
    .formula = "decay[h][q][k] = gamma_h^(q - k) for k <= q, else 0; gamma_h = 1 - 2^(-5 - h)",
    .when_to_use =
        "Retentive networks multiply scores by this decay in place of a softmax; queries and "
        "keys are turned by the rotation whose frequencies out=inv_freq gives.",
    .what_goes_wrong =
        "The decay multiplies scores, it is not added to them, and there is no softmax. The "
        "frequencies of the rotation are spaced over dim/2 - 1 steps, unlike those of RoPE.",
    .picture = "heads=4&len=48&dim=64",
    .summary = "retention: powers of the distance, one base a head",
    .source = "Sun et al. 2023, Retentive Network, section 2.1; torchscale retnet.py",
    .examples =
        PE_WORDS("heads=2&len=3", "heads=1&len=3&row_norm=sqrt_sum", "heads=4&out=gammas",
                 "heads=2&q=2:3&k=0:3&out=log_decay", "dim=8&out=inv_freq"),
    .family = PE_ROTARY,
    PE_TABLES(struct retnet_decay, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("pair=dim/2"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
