/* SPDX-License-Identifier: Apache-2.0
 * dape.c - data-adaptive positional encoding: a network of all heads' scores and biases.
 *
 *     dape:     mixed = scores + bias + w2 leaky_relu(w1 [scores, bias] + b1) + b2
 *     dape-v2:  mixed = scores + bias + conv2(leaky_relu(conv1([scores, bias])))
 *
 * for each query and key; the vectors run over the heads. Without a bias the network's input is
 * [scores] alone. conv1 and conv2 see kernel_size keys around each, zeros beyond the ends;
 * [scores, bias] is 0 for keys after the query; the last query stands at the last key. For each
 * column of DAPE's weights a row has kernel_size numbers, side by side.
 *
 * Zheng et al. 2024, DAPE: Data-Adaptive Positional Encoding, section 3; chuanyang-Zheng/DAPE;
 * Zheng et al. 2024, DAPE V2: Process Attention Score as Feature Map, section 3.
 */
#include <math.h>
#include <string.h>

#include "core/encoding.h"
#include "core/math/linear/dot.h"
#include "core/math/linear/mlp.h"
#include "core/math/tensor_row.h"

enum { MIXED };
enum { SCORES, BIAS }; /* inputs */
enum { RUN = 64, MOST_PRODUCTS = 1 << 24 };

struct dape {
    struct pe_tensor scores, bias;
    struct pe_reals w1, b1, w2, b2;
    double negative_slope;
    int64_t kernel_size;  /* count of keys that the network sees; 1 for dape */
    bool later_are_zeros; /* the network sees zeros for keys after the query: dape-v2 */
};

/* The last parameter, kernel_size, is dape-v2's alone. */
static const struct pe_param params[] = {
    {PE_TENSOR_TABLE(struct dape, scores), .required = true,
     .summary = "attention scores before the softmax: heads, q, k; or q, k of one head"},
    {PE_TENSOR_TABLE(struct dape, bias), .optional = true,
     .summary = "bias of another encoding, such as alibi or kerple, in the shape of scores"},
    {PE_WEIGHTS(struct dape, w1), .matrix = true, .required = true,
     .summary = "weights of the first layer, a row a hidden unit: a column for each head's "
                "score, then for each head's bias (kernel_size columns each in dape-v2)"},
    {PE_WEIGHTS(struct dape, b1)},
    {PE_WEIGHTS(struct dape, w2), .matrix = true, .required = true,
     .summary = "weights of the second layer, a row a head, a column a hidden unit"},
    {PE_WEIGHTS(struct dape, b2), .summary = "biases of the second layer, one a head"},
    {PE_FIELD(struct dape, negative_slope), .type = PE_REAL, .min = -1e18, .max = 1e18,
     .preset = 0.01, .summary = "slope of the leaky ReLU below 0, between the two layers"},
    {PE_FIELD(struct dape, kernel_size), .type = PE_INT, .min = 1, .max = 255, .preset = 3,
     .summary = "number of keys that a convolution sees, odd: as many before as after"},
};
enum { DAPE_PARAMS = PE_LEN(params) - 1 };

static const struct pe_output outputs[] = {
    [MIXED] = {PE_OUTPUT("mixed", PE_F32, "heads", "q", "k"), .label = "Mixed scores",
               .summary = "scores + bias + the answer of the network", .by_default = true,
               .bound = "0.501 ULP; f64 1 ULP; of sums above 2^-40 of their terms"}};

#define DAPE_PICTURE                                                                           \
    "scores=2,-1,0,1,-2,0,1,0;1,2,-1,0,1,-2,0,1;0,1,2,-1,0,1,-2,0;1,0,1,2,-1,0,1,-2;"          \
    "-2,1,0,1,2,-1,0,1;0,-2,1,0,1,2,-1,0;1,0,-2,1,0,1,2,-1;0,1,0,-2,1,0,1,2"                   \
    "&bias=0,0,0,0,0,0,0,0;-1,0,0,0,0,0,0,0;-2,-1,0,0,0,0,0,0;-3,-2,-1,0,0,0,0,0;"             \
    "-4,-3,-2,-1,0,0,0,0;-5,-4,-3,-2,-1,0,0,0;-6,-5,-4,-3,-2,-1,0,0;-7,-6,-5,-4,-3,-2,-1,0"

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve_scores(struct dape *d)
{
    tensor_row_widen(&d->scores, 3);
    tensor_row_widen(&d->bias, 3);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct dape *d = values;

    resolve_scores(d);
    d->kernel_size = 1;
}

static void resolve_v2(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct dape *d = values;

    resolve_scores(d);
    d->later_are_zeros = true;
    if (d->kernel_size % 2 == 0)
        pe_fail(errors, PE_OUT_OF_RANGE, "kernel_size", "must be odd; got %lld",
                (long long)d->kernel_size);
}

static uint64_t inputs_of(const struct dape *d)
{
    return d->scores.dims[0] * (d->bias.rank > 0 ? 2 : 1);
}

static uint64_t units_of(const struct dape *d)
{
    return d->w1.rows;
}

/* Returns the count of multiplications that one element needs. */
static double products_of(const struct dape *d)
{
    double kernel = (double)d->kernel_size, units = (double)units_of(d);

    return kernel * units * ((double)inputs_of(d) + 1);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct dape *d = values;
    uint64_t kernel = (uint64_t)d->kernel_size, units = units_of(d), heads = d->scores.dims[0];
    size_t bytes = sizeof d->scores.dims[0] * 3;

    if (tensor_row_check(&d->scores, "scores", "heads,queries,keys", errors))
        return;
    if (d->bias.rank > 0 && !tensor_row_check(&d->bias, "bias", "heads,queries,keys", errors) &&
        memcmp(d->bias.dims, d->scores.dims, bytes) != 0)
        pe_fail(errors, PE_CONFLICT, "bias", "must have the shape of scores, %llu,%llu,%llu",
                (unsigned long long)heads, (unsigned long long)d->scores.dims[1],
                (unsigned long long)d->scores.dims[2]);
    mlp_check_weights("w1", &d->w1, units, inputs_of(d) * kernel, errors);
    mlp_check_weights("b1", &d->b1, 1, units, errors);
    mlp_check_weights("w2", &d->w2, heads, units * kernel, errors);
    mlp_check_weights("b2", &d->b2, 1, heads, errors);
    if (products_of(d) > MOST_PRODUCTS) {
        pe_fail(errors, PE_TOO_LARGE, "w1", "makes %.0f products an element; at most %d",
                products_of(d), MOST_PRODUCTS);
        pe_note_limit(errors, MOST_PRODUCTS, (uint64_t)fmin(products_of(d), 0x1p60));
    }
}

/* ---- filling ----------------------------------------------------------------------------- */

/* The inputs of the network for one query. */
struct part {
    const struct dape *dape;
    const void *const *input;
    uint64_t query, seen; /* seen: count of keys; inputs of later ones are 0 */
    double *row;          /* [inputs][kernel] */
};

static double element(const struct part *p, uint64_t input, uint64_t key)
{
    const struct dape *d = p->dape;
    uint64_t heads = d->scores.dims[0], queries = d->scores.dims[1], keys = d->scores.dims[2];
    uint64_t at = ((input % heads) * queries + p->query) * keys + key;

    return input < heads ? tensor_row_at(&d->scores, p->input[SCORES], at)
                         : tensor_row_at(&d->bias, p->input[BIAS], at);
}

/* Computes all units at one key. The units are 0 beyond the ends of the keys. */
static void units_at(const struct part *p, int64_t key, struct dd *out)
{
    const struct dape *d = p->dape;
    uint64_t inputs = inputs_of(d), kernel = (uint64_t)d->kernel_size, units = units_of(d);
    const struct dd slope = {d->negative_slope, 0};

    memset(out, 0, units * sizeof *out);
    if (key < 0 || key >= (int64_t)d->scores.dims[2])
        return;
    for (uint64_t i = 0; i < inputs * kernel; i++) {
        int64_t at = key + (int64_t)(i % kernel) - (int64_t)(kernel / 2);

        p->row[i] = at < 0 || at >= (int64_t)p->seen ? 0 : element(p, i / kernel, (uint64_t)at);
    }
    for (uint64_t u = 0; u < units; u++) {
        struct dd sum = {d->b1.rows > 0 ? d->b1.values[u] : 0, 0};

        sum = dot_add(sum, p->row, d->w1.values + u * inputs * kernel, inputs * kernel);
        out[u] = sum.hi < 0 ? elementary_multiply(slope, sum) : sum;
    }
}

/* Computes the second layer over the units of kernel_size keys. */
static double answer(const struct part *p, uint64_t head, uint64_t key, const struct dd *hidden)
{
    const struct dape *d = p->dape;
    uint64_t kernel = (uint64_t)d->kernel_size, units = units_of(d);
    const double *weights = d->w2.values + head * units * kernel;
    struct dd sum = {element(p, head, key), 0};

    if (d->bias.rank > 0)
        sum = elementary_add(sum, (struct dd){element(p, d->scores.dims[0] + head, key), 0});
    if (!isfinite(sum.hi + sum.lo)) /* a masked score stays as it is */
        return d->bias.rank == 0
                   ? sum.hi
                   : element(p, head, key) + element(p, d->scores.dims[0] + head, key);
    if (d->b2.rows > 0)
        sum = elementary_add(sum, (struct dd){d->b2.values[head], 0});
    for (uint64_t i = 0; i < units * kernel; i++)
        sum =
            elementary_add(sum, elementary_multiply((struct dd){weights[i], 0},
                                                    hidden[(i % kernel) * units + i / kernel]));
    return sum.hi + sum.lo;
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct dape *d = state;
    uint64_t units = units_of(d), kernel = (uint64_t)d->kernel_size, count;
    uint64_t queries = d->scores.dims[1], keys = d->scores.dims[2];
    struct dd *hidden = scratch;
    struct part part = {.dape = d,
                        .input = input,
                        .row = (double *)(hidden + (RUN + kernel) * units)};

    for (uint64_t row = 0; out[0] && row < rect->rows; row++) {
        uint64_t head = (rect->row + row) / queries;
        double *to = out[0] + row * rect->cols;

        part.query = (rect->row + row) % queries;
        /* the last query stands at the last key */
        part.seen =
            d->later_are_zeros && keys + part.query + 1 < queries + keys
                ? (keys + part.query + 1 > queries ? keys + part.query + 1 - queries : 0)
                : keys;
        for (uint64_t col = 0; col < rect->cols; col += count) {
            count = rect->cols - col < RUN ? rect->cols - col : RUN;
            for (uint64_t t = 0; t < count + kernel - 1; t++)
                units_at(&part, (int64_t)(rect->col + col + t) - (int64_t)(kernel / 2),
                         hidden + t * units);
            for (uint64_t t = 0; t < count; t++)
                to[col + t] = answer(&part, head, rect->col + col + t, hidden + t * units);
        }
    }
}

static size_t scratch_bytes(const void *state, uint64_t elements)
{
    const struct dape *d = state;
    size_t kernel = (size_t)d->kernel_size;

    return (RUN + kernel) * units_of(d) * sizeof(struct dd) +
           inputs_of(d) * kernel * sizeof(double);
}

static double cost(const void *state, enum pe_dtype dtype)
{
    return 50 + 30 * products_of(state);
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_bytes, .cost = cost};

const struct pe_encoding pe_encoding_dape = {
    .name = "dape",
    .title = "DAPE: data-adaptive positional encoding",
    .formula = "mixed = scores + bias + w2 leaky_relu(w1 [scores, bias] + b1) + b2, for each "
               "query and key, over the heads",
    .when_to_use = "It lets a bias such as alibi, kerple or fire depend on the scores, for "
                   "lengths beyond the trained one. dape-v2 sees neighbouring keys too.",
    .what_goes_wrong = "The columns of w1 take all scores first and then all biases, not a "
                       "score and a bias of each head in turn. The network sees scores that "
                       "are already scaled, and its answer is added to scores and bias.",
    .picture = DAPE_PICTURE "&w1=1,0.5;-1,0.2&w2=0.3,-0.2&b2=0.05",
    .summary = "scores and biases of all heads, mixed by a network",
    .source = "Zheng et al. 2024, DAPE: Data-Adaptive Positional Encoding, section 3",
    .examples = PE_WORDS("scores=1,2;3,4&w1=1;-1&w2=0.5,1",
                         "scores=1&bias=-0.5&w1=1,0.5;-1,0.2&w2=0.3,-0.2&b2=0.05"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES_PART(struct dape, params, 0, DAPE_PARAMS, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("heads=scores.0", "q=scores.1", "k=scores.2"),
    .filler = &filler,
};

const struct pe_encoding pe_encoding_dape_v2 = {
    .name = "dape-v2",
    .title = "DAPE V2: attention scores as a feature map",
    .formula = "mixed = scores + bias + conv2(leaky_relu(conv1([scores, bias]))), convolutions "
               "over kernel_size keys, for each query, over the heads",
    .when_to_use = "It is DAPE with convolutions along the keys in place of a network for each "
                   "key, which helps tasks that copy from neighbouring tokens.",
    .what_goes_wrong =
        "Scores and biases of keys after the query must be 0 before the convolution, or the "
        "future leaks into earlier keys; masking the result is too late. The kernel is "
        "numbered innermost: a row of w1 has kernel_size numbers for each head.",
    .picture = DAPE_PICTURE "&w1=1,0.5,0.2,0,-1,0.2&w2=0.3,-0.2,0.1",
    .summary = "scores and biases of all heads, mixed by convolutions along the keys",
    .source = "Zheng et al. 2024, DAPE V2: Process Attention Score as Feature Map, section 3",
    .examples = PE_WORDS("scores=1,2,3&w1=1,2,3;0,1,-1&w2=1,0,1,0,2,0",
                         "scores=1,2;3,4&kernel_size=1&w1=1;-1&w2=0.5,1"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct dape, params, outputs),
    .resolve = resolve_v2,
    .check = check,
    .lengths = PE_WORDS("heads=scores.0", "q=scores.1", "k=scores.2"),
    .filler = &filler,
};
