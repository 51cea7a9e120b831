/* SPDX-License-Identifier: Apache-2.0
 * decomposed_relpos.c - a learned vector for each distance along the rows and one along the
 * columns, multiplied by the query; queries and keys may have different resolutions.
 *
 *     row = trunc(i max(K/Q, 1) - j max(Q/K, 1) + (K - 1) max(Q/K, 1)) for query i of Q and
 *     key j of K along an axis;    bias = query . table_h[row_h] + query . table_w[row_w]
 *
 * Li et al. 2022, MViTv2, section 4.1; ViTDet, Segment Anything image_encoder.py
 * (get_rel_pos, add_decomposed_rel_pos). Queries are not scaled; scores are.
 */
#include "core/encodings/bias/axial.h"
#include "core/math/relative/lookup.h"

struct decomposed_relpos {
    struct axial axial;
    struct pe_grid q_grid, k_grid;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct decomposed_relpos, q_grid), .type = PE_GRID, .required = true,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "grid of the queries, HEIGHTxWIDTH, numbered row by row"},
    {PE_FIELD(struct decomposed_relpos, k_grid), .type = PE_GRID,
     PE_OWN("posenc", SHAPE, BASIC),
     .summary = "grid of the keys, HEIGHTxWIDTH, numbered row by row; q_grid by default"},
    AXIAL_ROWS(struct decomposed_relpos, axial),
};

static const struct pe_output outputs[] = {
    AXIAL_OUTPUT_ROWS("q_grid=24x16&k_grid=12x8", NULL, "q_grid", "k_grid")};

/* Divides the sum by the smaller side in integer arithmetic. */
static int64_t row_of(int64_t queries, int64_t keys, int64_t i, int64_t j)
{
    return (i * keys + (keys - 1 - j) * queries) / (queries < keys ? queries : keys);
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct decomposed_relpos *d = values;

    if (d->k_grid.height == 0)
        d->k_grid = d->q_grid;
    d->axial.q = d->q_grid;
    d->axial.k = d->k_grid;
    lookup_one_head(&d->axial.queries);
}

static const struct axial_kind kind = {row_of, "rows are of query - key"};

const struct pe_encoding pe_encoding_decomposed_relpos = {
    .name = "decomposed-relpos",
    .title = "Decomposed relative positions",
    .formula = "bias = query . table_h[row_h] + query . table_w[row_w], row = i max(K/Q, 1) - "
               "j max(Q/K, 1) + (K - 1) max(Q/K, 1) for query i of Q and key j of K on "
               "an axis",
    .when_to_use =
        "MViTv2, ViTDet and the image encoder of Segment Anything use it, with pooled keys in "
        "MViTv2.",
    .what_goes_wrong =
        "Rows count query - key. The bias takes queries that are not scaled and joins scores "
        "that are. Tables of another length than 2 max(Q, K) - 1 are interpolated first, "
        "which "
        "resize-table-1d does.",
    .picture = "q_grid=4x4&" AXIAL_PICTURE,
    .summary = "a learned vector for each distance along either axis, of two resolutions",
    .source = "Li et al. 2022, MViTv2, section 4.1; segment-anything image_encoder.py",
    .examples = PE_WORDS("q_grid=2x2", "q_grid=2x2&k_grid=4x4", "q_grid=4x6&k_grid=2x3",
                         "q_grid=2x2&out=bias&table_h=1;2;3&table_w=10;20;30&queries=1;2;3;4"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    .detail = &kind,
    PE_TABLES_OF(struct decomposed_relpos, axial, params, outputs),
    .resolve = resolve,
    .check = axial_check,
    .range = axial_range,
    .shape = axial_shape,
    .prepare = axial_prepare,
};
