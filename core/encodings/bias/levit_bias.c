/* SPDX-License-Identifier: Apache-2.0
 * levit_bias.c - one learned number for each distance of two points along both axes.
 *
 *     index = |s yq - yk| width + |s xq - xk|,  s = query_stride
 *
 * Queries stand on every stride-th row and column. LeViT's code numbers distances in the order
 * of their first use: the first query uses all, in this order. Graham et al. 2021, LeViT,
 * section 4; facebookresearch/LeViT levit.py; TinyViT, EfficientFormer.
 */
#include <stdlib.h>

#include "core/encoding.h"
#include "core/math/relative/lookup.h"

enum { INDEX, BIAS };

struct levit_bias {
    struct pe_grid resolution;
    int64_t query_stride;
    struct pe_tensor table;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct levit_bias, resolution), .type = PE_GRID, .required = true,
     PE_OWN("LeViT", SHAPE, BASIC),
     .summary = "grid of the keys, HEIGHTxWIDTH, numbered row by row"},
    {PE_FIELD(struct levit_bias, query_stride), .type = PE_INT, .min = 1, .max = 65536,
     .preset = 1, PE_OWN("posenc", SHAPE, BASIC),
     .summary = "step between queries: they stand on each such row and column of the grid"},
    {PE_TENSOR_TABLE(struct levit_bias, table), .required = true,
     .summary = "learned biases, a row a head, a column a number of index (attention_biases)"},
};

static const struct pe_output outputs[] = {
    [INDEX] = {PE_OUTPUT("index", PE_I64, "q", "k"), .label = "Index", .sign = PE_NOT_NEGATIVE,
               .picture = "resolution=7x7",
               .summary =
                   "column of table for each query and key, by their distance along both axes",
               .by_default = true, .uses = PE_WORDS("resolution", "query_stride"),
               .bound = "exact"},
    [BIAS] = {PE_OUTPUT("bias", PE_F32, "heads", "q", "k"), .label = "Bias",
              .summary = "bias that is added to the attention scores",
              .bound = "0.501 ULP; f64 exact"},
};

static uint64_t keys_of(const struct levit_bias *l)
{
    return (uint64_t)(l->resolution.height * l->resolution.width);
}

/* Returns the count of queries along an axis of `keys` keys. */
static int64_t queries_along(const struct levit_bias *l, int64_t keys)
{
    return (keys + l->query_stride - 1) / l->query_stride;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct levit_bias *l = values;

    if (pe_wants(args, BIAS))
        lookup_check_bias(&l->table, "table", keys_of(l), true, errors);
}

static uint64_t queries_of(const struct levit_bias *l)
{
    return (uint64_t)(queries_along(l, l->resolution.height) *
                      queries_along(l, l->resolution.width));
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct levit_bias *l = values;
    const size_t heads = output == BIAS; /* an axis before the others */

    dims[0] = l->table.dims[0];
    dims[heads] = queries_of(l);
    dims[heads + 1] = keys_of(l);
    return heads + 2;
}

static void index_row(const void *rule, uint64_t query, uint64_t key, size_t count, double *out)
{
    const struct levit_bias *l = rule;
    int64_t width = l->resolution.width, queries = queries_along(l, width);
    int64_t yq = (int64_t)query / queries * l->query_stride;
    int64_t xq = (int64_t)query % queries * l->query_stride;
    int64_t yk = (int64_t)key / width, xk = (int64_t)key % width;

    for (size_t t = 0; t < count; t++) {
        out[t] = (double)(llabs(yq - yk) * width + llabs(xq - xk));
        if (++xk == width)
            xk = 0, yk++;
    }
}

static struct lookup_bias bias_of(const struct levit_bias *l)
{
    return (struct lookup_bias){.lookup = {index_row, l, 1},
                                .table = {&l->table, 0},
                                .heads_first = true,
                                .queries = queries_of(l),
                                .keys = keys_of(l),
                                .scale = {1, 0}};
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct lookup_bias bias = bias_of(values);

    return pe_wants(args, BIAS) ? lookup_plan_ns(&bias) : 0;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct lookup_bias bias = bias_of(values);

    lookup_fill_index(build, INDEX, &bias.lookup);
    lookup_fill_bias(build, BIAS, &bias);
    pe_build_fact(build, "num_offsets", (double)keys_of(values));
}

const struct pe_encoding pe_encoding_levit_bias = {
    .name = "levit-bias",
    .title = "LeViT attention bias",
    .formula =
        "index = |s yq - yk| width + |s xq - xk|, s = query_stride; bias[h] = table[h][index]",
    .when_to_use =
        "LeViT, TinyViT and EfficientFormer learn one number for each distance along both "
        "axes, so that left and right are equal. swin tells them apart.",
    .what_goes_wrong =
        "The released code numbers distances in the order in which it meets them, which is "
        "row by row from the first query; other orders permute the learned table. table has "
        "heads first here and in the checkpoints, unlike Swin.",
    .picture = "resolution=4x4&table=0,-0.7,-1.4,-2.1,-1,-1.7,-2.4,-3.1,-2,-2.7,-3.4,-4.1,-3,"
               "-3.7,-4.4,-5.1;0,-1,-2,-3,0.5,-0.5,-1.5,-2.5,1,0,-1,-2,1.5,0.5,-0.5,-1.5",
    .summary = "distances of points along both axes, numbered",
    .source = "Graham et al. 2021, LeViT, section 4; facebookresearch/LeViT levit.py",
    .examples = PE_WORDS("resolution=2x3", "resolution=3x3&query_stride=2", "resolution=7x7",
                         "resolution=1x2&out=bias&table=1,2;3,4"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    PE_TABLES(struct levit_bias, params, outputs),
    .check = check,
    .most = PE_WORDS("index=resolution-1"),
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
