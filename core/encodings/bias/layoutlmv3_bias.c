/* SPDX-License-Identifier: Apache-2.0
 * layoutlmv3_bias.c - learned biases for distances in the text and on the page, in T5's
 * buckets.
 *
 *     bias = (table[b(k - q)] + table_x[bx(x0 of k - q)] + table_y[by(y1 of k - q)])
 *            / sqrt(head_dim)
 *
 * Huang et al. 2022, LayoutLMv3, section 3.1; transformers modeling_layoutlmv3.py
 * (_cal_1d_pos_emb, _cal_2d_pos_emb), names of the sizes as in its configuration.
 */
#include <math.h>

#include "core/encodings/bias/t5_buckets.h"
#include "core/math/relative/lookup.h"
#include "core/math/tensor_row.h"

enum { BUCKETS, BUCKETS_X, BUCKETS_Y, BIAS, AXES = 3 };
enum { BOX_COLS = 4, BOX_X0 = 0, BOX_Y1 = 3 };

struct layoutlmv3_bias {
    const struct pe_positions *position_ids;
    struct pe_reals boxes;
    int64_t num_buckets, max_distance, num_buckets_2d, max_distance_2d, head_dim;
    struct pe_tensor table, table_x, table_y;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct layoutlmv3_bias, position_ids), .type = PE_POSITIONS, .required = true,
     .summary = "position of each token in the text"},
    {PE_FIELD(struct layoutlmv3_bias, boxes), .type = PE_REALS, .matrix = true,
     .required = true, .min = -0x1p40, .max = 0x1p40,
     .summary = "box of each token on the page, whole numbers x0,y0,x1,y1"},
    {PE_FIELD(struct layoutlmv3_bias, num_buckets), .type = PE_INT, .min = 4,
     .max = BUCKET_COUNT_MAX, .multiple_of = 2, .preset = 32,
     .summary = "number of buckets of distances in the text (rel_pos_bins)"},
    {PE_FIELD(struct layoutlmv3_bias, max_distance), .type = PE_INT, .min = 2, .max = 0x1p40,
     .preset = 128,
     .summary = "distance in the text from which on all share one bucket (max_rel_pos)"},
    {PE_FIELD(struct layoutlmv3_bias, num_buckets_2d), .type = PE_INT, .min = 4,
     .max = BUCKET_COUNT_MAX, .multiple_of = 2, .preset = 64,
     PE_OWN("transformers", DISTANCE, BASIC),
     .summary = "number of buckets of distances along each side of the page (rel_2d_pos_bins)"},
    {PE_FIELD(struct layoutlmv3_bias, max_distance_2d), .type = PE_INT, .min = 2, .max = 0x1p40,
     .preset = 256, PE_OWN("transformers", DISTANCE, BASIC),
     .summary = "distance on the page from which on all share one bucket (max_rel_2d_pos)"},
    {PE_FIELD(struct layoutlmv3_bias, head_dim), .type = PE_INT, .required = true, .min = 1,
     .max = 65536,
     .summary = "width of a head, by whose root the bias is divided, as scores are"},
    {PE_TENSOR_TABLE(struct layoutlmv3_bias, table), .required = true,
     .summary = "learned biases of distances in the text, a row a bucket, a column a head"},
    {PE_TENSOR_TABLE(struct layoutlmv3_bias, table_x), .required = true,
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary =
         "learned biases of distances between left sides, a row a bucket, a column a head"},
    {PE_TENSOR_TABLE(struct layoutlmv3_bias, table_y), .required = true,
     PE_OWN("transformers", WEIGHTS, BASIC),
     .summary =
         "learned biases of distances between lower sides, a row a bucket, a column a head"},
};

#define TEXT_NAMES "position_ids", "num_buckets", "max_distance"
#define PAGE_NAMES "boxes", "num_buckets_2d", "max_distance_2d"

static const struct pe_output outputs[] = {
    [BUCKETS] = {PE_OUTPUT("buckets", PE_I64, "q", "k"), .label = "Buckets",
                 .sign = PE_NOT_NEGATIVE, .picture = "position_ids=0:64",
                 .summary = "row of table for each query and key", .by_default = true,
                 .uses = PE_WORDS(TEXT_NAMES), .bound = "exact"},
    [BUCKETS_X] = {PE_OUTPUT("buckets_x", PE_I64, "q", "k"), .label = "Horizontal buckets",
                   .sign = PE_NOT_NEGATIVE, .summary = "row of table_x for each query and key",
                   .uses = PE_WORDS(PAGE_NAMES), .bound = "exact"},
    [BUCKETS_Y] = {PE_OUTPUT("buckets_y", PE_I64, "q", "k"), .label = "Vertical buckets",
                   .sign = PE_NOT_NEGATIVE, .summary = "row of table_y for each query and key",
                   .uses = PE_WORDS(PAGE_NAMES), .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the scaled attention scores",
              .uses =
                  PE_WORDS(TEXT_NAMES, PAGE_NAMES, "head_dim", "table", "table_x", "table_y"),
              .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static bool wants_text(const struct pe_args *args)
{
    return pe_wants(args, BUCKETS) || pe_wants(args, BIAS);
}

static bool wants_page(const struct pe_args *args)
{
    return pe_wants(args, BUCKETS_X) || pe_wants(args, BUCKETS_Y) || pe_wants(args, BIAS);
}

static const struct pe_tensor *table_of(const struct layoutlmv3_bias *l, int axis)
{
    return axis == 0 ? &l->table : axis == 1 ? &l->table_x : &l->table_y;
}

static enum pe_status check_boxes(const struct layoutlmv3_bias *l, struct pe_errors *errors)
{
    if (l->boxes.cols != BOX_COLS)
        return pe_fail(errors, PE_CONFLICT, "boxes", "must have rows of 4; got %zu",
                       l->boxes.cols);
    for (size_t i = 0; i < l->boxes.rows * BOX_COLS; i++) {
        if (l->boxes.values[i] != trunc(l->boxes.values[i]))
            return pe_fail(errors, PE_BAD_VALUE, "boxes", "must hold whole numbers; got %g",
                           l->boxes.values[i]);
    }
    if (l->max_distance_2d <= l->num_buckets_2d / 4)
        return pe_fail(errors, PE_CONFLICT, "max_distance_2d",
                       "must be above %lld, a quarter of num_buckets_2d",
                       (long long)l->num_buckets_2d / 4);
    return PE_OK;
}

static void check_text(const struct layoutlmv3_bias *l, struct pe_errors *errors)
{
    if (l->max_distance <= l->num_buckets / 4)
        pe_fail(errors, PE_CONFLICT, "max_distance",
                "must be above %lld, a quarter of num_buckets", (long long)l->num_buckets / 4);
}

static void check_tables(const struct layoutlmv3_bias *l, struct pe_errors *errors)
{
    static const char *const names[] = {"table", "table_x", "table_y"};

    if (pe_positions_count(l->position_ids) != l->boxes.rows) {
        pe_fail(errors, PE_CONFLICT, "boxes", "must have one row a token, %llu; got %zu",
                (unsigned long long)pe_positions_count(l->position_ids), l->boxes.rows);
        return;
    }
    for (int axis = 0; axis < AXES; axis++) {
        uint64_t rows = (uint64_t)(axis == 0 ? l->num_buckets : l->num_buckets_2d);

        if (lookup_check_bias(table_of(l, axis), names[axis], rows, false, errors))
            return;
        if (table_of(l, axis)->dims[1] != l->table.dims[1]) {
            pe_fail(errors, PE_CONFLICT, names[axis],
                    "must have as many heads as table, %llu; got %llu",
                    (unsigned long long)l->table.dims[1],
                    (unsigned long long)table_of(l, axis)->dims[1]);
            return;
        }
    }
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct layoutlmv3_bias *l = values;

    if (wants_text(args))
        check_text(l, errors);
    if (wants_page(args))
        check_boxes(l, errors);
    if (pe_wants(args, BIAS) && errors->count == 0)
        check_tables(l, errors);
}

/* ---- buckets and biases ------------------------------------------------------------------ */

struct rule { /* the rule of the text, of x or of y */
    const struct layoutlmv3_bias *layout;
    const struct t5_buckets *buckets;
    int axis;
};

struct biases {
    struct rule rules[AXES];
    struct dd scale;
};

static double place(const struct rule *rule, uint64_t token)
{
    const struct layoutlmv3_bias *l = rule->layout;

    if (rule->axis == 0)
        return pe_positions_at(l->position_ids, token);
    return l->boxes.values[token * BOX_COLS + (rule->axis == 1 ? BOX_X0 : BOX_Y1)];
}

static void index_row(const void *context, uint64_t query, uint64_t key, size_t count,
                      double *out)
{
    const struct rule *rule = context;
    double at = place(rule, query);

    for (size_t t = 0; t < count; t++)
        out[t] = t5_buckets_of(rule->buckets, at - place(rule, key + t));
}

static double bias_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct biases *b = state;
    const struct layoutlmv3_bias *l = b->rules[0].layout;
    uint64_t tokens = l->boxes.rows, heads = l->table.dims[1];
    struct dd sum = {0, 0};

    for (int axis = 0; axis < AXES; axis++) {
        double bucket, value;

        index_row(&b->rules[axis], row % tokens, col, 1, &bucket);
        value = tensor_row_at(table_of(l, axis), input[axis],
                              (uint64_t)bucket * heads + row / tokens);
        sum = elementary_add(sum, (struct dd){value, 0});
    }
    sum = elementary_multiply(sum, b->scale);
    return sum.hi + sum.lo;
}

static const struct pe_filler bias_filler = {.element = bias_at, .ns_per_element = 100};

static void fill(struct pe_build *build, const struct layoutlmv3_bias *l, struct biases *b)
{
    const struct pe_args *args = pe_build_args(build);

    for (int axis = 0; axis < AXES; axis++) {
        bool text = axis == 0, wanted = text ? wants_text(args) : wants_page(args);
        const struct lookup lookup = {index_row, &b->rules[axis], 10};

        if (!wanted)
            continue;
        b->rules[axis] =
            (struct rule){l,
                          t5_buckets_new(build, text ? l->num_buckets : l->num_buckets_2d,
                                         text ? l->max_distance : l->max_distance_2d, true),
                          axis};
        if (pe_wants(args, (size_t)axis))
            lookup_fill_index(build, (size_t)axis, &lookup);
    }
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct layoutlmv3_bias *l = values;
    struct biases *b = pe_build_alloc(build, sizeof *b);

    if (!b)
        return;
    fill(build, l, b);
    if (pe_wants(pe_build_args(build), BIAS)) {
        b->scale = lookup_scale(true, (uint64_t)l->head_dim);
        pe_build_fill(build, BIAS, &bias_filler, b);
    }
    pe_build_fact_text(build, "sign", "buckets are of key - query");
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct layoutlmv3_bias *l = values;

    return 2000 * (double)(l->num_buckets + 2 * l->num_buckets_2d);
}

const struct pe_encoding pe_encoding_layoutlmv3_bias = {
    .name = "layoutlmv3-bias",
    .title = "LayoutLMv3 bias",
    .formula =
        "bias = (table[b(k - q)] + table_x[bx(x0 of k - q)] + table_y[by(y1 of k - q)]) / "
        "sqrt(head_dim)",
    .when_to_use =
        "LayoutLMv3 and LayoutLMv2 read documents with three learned biases: of the text, of "
        "left sides and of lower sides of the boxes.",
    .what_goes_wrong =
        "The horizontal bias compares left sides, the vertical one lower sides (y1). The "
        "difference is key - query, the opposite of T5 in most ports, and the bias is "
        "divided by sqrt(head_dim) together with the scores.",
    .picture =
        "position_ids=0:16&boxes=0,0,50,30;60,0,110,30;120,0,170,30;180,0,230,30;0,40,50,70;"
        "60,40,110,70;120,40,170,70;180,40,230,70;0,80,50,110;60,80,110,110;120,80,170,110;"
        "180,80,230,110;0,120,50,150;60,120,110,150;120,120,170,150;180,120,230,150&"
        "num_buckets=8&max_distance=16&num_buckets_2d=8&max_distance_2d=64&head_dim=64&"
        "table=-4;-3;-2;-1;0;1;2;3&table_x=-6;-4;-2;0;2;4;6;8&table_y=5;4;3;2;1;0;-1;-2",
    .summary = "learned biases for distances in the text and on the page",
    .source = "Huang et al. 2022, LayoutLMv3, section 3.1; transformers modeling_layoutlmv3.py",
    .examples = PE_WORDS("position_ids=0:4", "boxes=0,0,9,9;20,0,29,9&out=buckets_x,buckets_y",
                         "position_ids=0,1&boxes=0,0,9,9;2,0,29,10&out=bias&head_dim=4"
                         "&num_buckets=4&max_distance=2&num_buckets_2d=4&max_distance_2d=2"
                         "&table=1;2;3;4&table_x=10;20;30;40&table_y=100;200;300;400"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct layoutlmv3_bias, params, outputs),
    .check = check,
    .most = PE_WORDS("buckets=num_buckets-1", "buckets_x=num_buckets_2d-1",
                     "buckets_y=num_buckets_2d-1"),
    .lengths =
        PE_WORDS("heads=table.1", "q=position_ids", "k=position_ids", "buckets_x.q=boxes.0",
                 "buckets_x.k=boxes.0", "buckets_y.q=boxes.0", "buckets_y.k=boxes.0"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
