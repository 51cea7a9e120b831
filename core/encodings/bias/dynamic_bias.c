/* SPDX-License-Identifier: Apache-2.0
 * dynamic_bias.c - a network of the distance, computed once for each.
 *
 *     d = query - key, or sign(d) ln(1 + |d|)
 *     x = act(w_in d + b_in), then depth - 1 times x = act(w_hidden x + b_hidden)
 *     bias[h][i][j] = (w_out x + b_out)[h],   act = SiLU, after layer norm if asked
 *
 * Wang et al. 2022, CrossFormer, section 3.3 (dynamic position bias), in one dimension as
 * x-transformers' DynamicPositionBias and Swin v2's logarithm of the distance have it.
 */
#include <math.h>

#include "core/encodings/bias/distances.h"
#include "core/math/mlp.h"

struct dynamic_bias {
    struct distances distances;
    struct pe_reals w_in, b_in, w_hidden, b_hidden, w_out, b_out, norm_weight, norm_bias;
    bool log_distance, norm;
};

#define WEIGHTS(FIELD, MATRIX, REQUIRED, SUMMARY)                                              \
    {                                                                                          \
        PE_FIELD(struct dynamic_bias, FIELD), .type = PE_REALS, .matrix = (MATRIX),            \
                                              .required = (REQUIRED), .min = -1e18,            \
                                              .max = 1e18, .summary = SUMMARY                  \
    }

static const struct pe_param params[] = {
    DISTANCES_ROWS(struct dynamic_bias, distances),
    {PE_FIELD(struct dynamic_bias, log_distance), .type = PE_BOOL,
     .summary = "the network is given sign(d) ln(1 + |d|)"},
    {PE_FIELD(struct dynamic_bias, norm), .type = PE_BOOL,
     .summary = "layer norm before each SiLU"},
    WEIGHTS(w_in, false, true, "weights of the distance, one a unit: 1,-2,0.5"),
    WEIGHTS(b_in, false, false, "added to them, one a unit"),
    WEIGHTS(w_hidden, true, false, "layers between, below each other, a row a unit"),
    WEIGHTS(b_hidden, true, false, "added in them, a row a layer"),
    WEIGHTS(w_out, true, true, "weights of the last layer, a row a head"),
    WEIGHTS(b_out, false, false, "added to the biases, one a head"),
    WEIGHTS(norm_weight, true, false, "multiplies what is normalised, a row a SiLU"),
    WEIGHTS(norm_bias, true, false, "added to what is normalised, a row a SiLU"),
};

static const struct pe_output outputs[] = {
    DISTANCES_OUTPUT_ROWS("0.501 ULP; f64 8 ULP; of sums above 2^-16 of their terms",
                          "log_distance", "norm", "w_in", "b_in", "w_hidden", "b_hidden",
                          "w_out", "b_out", "norm_weight", "norm_bias"),
};

/* ---- rules ------------------------------------------------------------------------------- */

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct dynamic_bias *d = values;

    return distances_resolve(args, offsetof(struct dynamic_bias, distances), &d->distances,
                             errors);
}

/* Layers of units with a SiLU. */
static size_t depth_of(const struct dynamic_bias *d)
{
    return 1 + d->w_hidden.rows / d->w_in.cols;
}

/* Differences that the network is asked about. */
static void span(const struct dynamic_bias *d, double *low, double *high)
{
    pairs_range(&d->distances.pairs, low, high);
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

static double products_of(const struct dynamic_bias *d)
{
    double units = (double)d->w_in.cols;

    return differences_of(d) * units *
           ((double)d->w_hidden.rows + (double)d->w_out.rows + 8 * (double)depth_of(d));
}

static void check_rows(const char *name, const struct pe_reals *rows, size_t count, size_t cols,
                       struct pe_errors *errors)
{
    if (rows->rows > 0 && (rows->rows != count || rows->cols != cols))
        pe_fail(errors, PE_CONFLICT, name, "must have %zu rows of %zu; got %zu of %zu", count,
                cols, rows->rows, rows->cols);
}

static void check_size(const struct dynamic_bias *d, struct pe_errors *errors)
{
    const double most = 0x1p28, most_values = 0x1p22; /* some seconds; 32 MiB */
    double products = products_of(d), kept = differences_of(d) * (double)d->w_out.rows;

    if (products > most) {
        pe_fail(errors, PE_TOO_LARGE, d->distances.pairs.len == PE_ABSENT_INT ? "q" : "len",
                "needs %.0f products of the network's weights; at most %.0f", products, most);
        pe_note_limit(errors, (uint64_t)most, (uint64_t)fmin(products, 0x1p60));
    } else if (kept > most_values) {
        pe_fail(errors, PE_TOO_LARGE, d->distances.pairs.len == PE_ABSENT_INT ? "q" : "len",
                "needs %.0f biases of all differences; at most %.0f", kept, most_values);
        pe_note_limit(errors, (uint64_t)most_values, (uint64_t)kept);
    }
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct dynamic_bias *d = values;
    size_t units = d->w_in.cols, depth = depth_of(d);

    check_rows("b_in", &d->b_in, 1, units, errors);
    if (d->w_hidden.rows > 0 && (d->w_hidden.rows % units != 0 || d->w_hidden.cols != units))
        pe_fail(errors, PE_CONFLICT, "w_hidden",
                "must have %zu rows of %zu a layer, as w_in has units; got %zu of %zu", units,
                units, d->w_hidden.rows, d->w_hidden.cols);
    if (d->w_hidden.rows == 0 && d->b_hidden.rows > 0)
        pe_fail(errors, PE_CONFLICT, "b_hidden", "has no effect without w_hidden");
    else
        check_rows("b_hidden", &d->b_hidden, depth - 1, units, errors);
    check_rows("w_out", &d->w_out, d->w_out.rows, units, errors);
    check_rows("b_out", &d->b_out, 1, d->w_out.rows, errors);
    if (!d->norm && (d->norm_weight.rows > 0 || d->norm_bias.rows > 0))
        pe_fail(errors, PE_CONFLICT, d->norm_weight.rows > 0 ? "norm_weight" : "norm_bias",
                "has no effect without norm=1");
    check_rows("norm_weight", &d->norm_weight, depth, units, errors);
    check_rows("norm_bias", &d->norm_bias, depth, units, errors);
    if (errors->count == 0)
        check_size(d, errors);
    return distances_check(args, offsetof(struct dynamic_bias, distances), errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct dynamic_bias *d = values;

    (void)args;
    return distances_shape(&d->distances, d->w_out.rows, output, dims);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    (void)args;
    return 10 * products_of(values);
}

/* ---- the network ------------------------------------------------------------------------- */

/* Rows [first, first + count) of a matrix; absent if it is. A list is a column. */
static struct pe_reals rows_of(const struct pe_reals *all, size_t first, size_t count,
                               size_t cols)
{
    if (all->rows == 0)
        return *all;
    return (struct pe_reals){all->values + first * cols, count, cols};
}

static void bend(const struct dynamic_bias *d, size_t layer, struct split *x)
{
    size_t units = d->w_in.cols;
    const struct pe_reals weight = rows_of(&d->norm_weight, layer, 1, units);
    const struct pe_reals bias = rows_of(&d->norm_bias, layer, 1, units);

    if (d->norm)
        mlp_normalise(x, units, &weight, &bias);
    mlp_silu(x, units);
}

/* room: two layers of units, and the heads. Returns the answers in it. */
static const struct split *ask(const struct dynamic_bias *d, double difference,
                               struct split *room)
{
    size_t units = d->w_in.cols;
    struct split *x = room, *next = room + units, *answers = room + 2 * units, in, *other;
    const struct pe_reals w_in = rows_of(&d->w_in, 0, units, 1);

    in = (struct split){difference, 0};
    if (d->log_distance) {
        in = elementary_log1p((struct split){fabs(difference), 0});
        in = difference < 0 ? (struct split){-in.hi, -in.lo} : in;
    }
    mlp_layer(&w_in, &d->b_in, &in, x);
    bend(d, 0, x);
    for (size_t layer = 1; layer < depth_of(d); layer++) {
        const struct pe_reals w = rows_of(&d->w_hidden, (layer - 1) * units, units, units);
        const struct pe_reals b = rows_of(&d->b_hidden, layer - 1, 1, units);

        mlp_layer(&w, &b, x, next);
        other = x;
        x = next;
        next = other;
        bend(d, layer, x);
    }
    mlp_layer(&d->w_out, &d->b_out, x, answers);
    return answers;
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

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct dynamic_bias *d = values;
    size_t heads = d->w_out.rows, count = (size_t)differences_of(d);
    struct answers *answers = pe_build_alloc(build, sizeof *answers);
    double *kept = pe_build_alloc(build, count * heads * sizeof *kept), high;
    struct split *room = pe_build_alloc(build, (2 * d->w_in.cols + heads) * sizeof *room);
    const struct distances_rule rule = {value, answers, heads, 2};

    if (!answers || !kept || !room)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    *answers = (struct answers){.heads = heads, .values = kept};
    span(d, &answers->low, &high);
    for (size_t i = 0; i < count; i++) {
        const struct split *of = ask(d, answers->low + (double)i, room);

        for (size_t h = 0; h < heads; h++)
            kept[i * heads + h] = of[h].hi + of[h].lo;
    }
    return distances_prepare(build, &d->distances, &rule, errors);
}

const struct pe_encoding pe_encoding_dynamic_bias = {
    .name = "dynamic-bias",
    .summary = "attention bias by a network of the distance",
    .source = "Wang et al. 2022, CrossFormer, section 3.3; x-transformers DynamicPositionBias",
    .examples =
        PE_WORDS("len=3&w_in=1,-1&w_out=2,1;0,1", "q=4:5&k=0:5&w_in=1&w_out=2&log_distance=1",
                 "len=3&w_in=1,2&w_hidden=1,2;3,4&w_out=1,1&norm=1&causal=1",
                 "len=3&w_in=1&w_out=2&out=toeplitz"),
    .family = PE_BIAS,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct dynamic_bias),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
