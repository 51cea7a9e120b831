/* SPDX-License-Identifier: Apache-2.0
 * axial_relative_logits.c - a learned vector for each distance along the rows and one along the
 * columns, multiplied by the query.
 *
 *     bias = query . table_w[xk - xq + W - 1] + query . table_h[yk - yq + H - 1]
 *
 * Srinivas et al. 2021, BoTNet; timm bottleneck_attn.py. HaloNet (Vaswani et al. 2021; timm
 * halo_attn.py): queries are a block, keys its window of side W = block_side + 2 halo, numbered
 * from their own corners.
 */
#include "core/encodings/bias/axial.h"
#include "core/math/relative/lookup.h"

struct axial_relative_logits {
    struct axial axial;
    struct pe_grid grid;
    int64_t block_side, halo;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct axial_relative_logits, grid), .type = PE_GRID,
     .summary = "patches HEIGHTxWIDTH, which are queries and keys, row by row (BoTNet)"},
    {PE_FIELD(struct axial_relative_logits, block_side), .type = PE_INT, .optional = true,
     .min = 1, .max = 4096, .when = "!grid", PE_OWN("posenc", SHAPE, BASIC),
     .summary = "side of a block of queries, in place of grid (HaloNet)"},
    {PE_FIELD(struct axial_relative_logits, halo), .type = PE_INT, .required = true, .min = 0,
     .max = 4096, .when = "block_side", PE_OWN("Vaswani et al. 2021", SHAPE, BASIC),
     .summary = "number of keys around the block on each side"},
    {PE_FIELD_OF(struct axial_relative_logits, axial, scaled), .type = PE_BOOL,
     .summary = "divide the bias by the root of head_dim, as scale_pos_embed of timm"},
    AXIAL_ROWS(struct axial_relative_logits, axial),
};

static const struct pe_output outputs[] = {
    AXIAL_OUTPUT_ROWS("grid=24x16", "grid|block_side", "grid", "block_side", "halo")};

static int64_t row_of(int64_t queries, int64_t keys, int64_t i, int64_t j)
{
    return j - i + keys - 1;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct axial_relative_logits *a = values;
    bool has_grid = a->grid.height > 0;
    int64_t window;

    if (!has_grid && a->block_side == PE_ABSENT_INT) {
        pe_fail(errors, PE_MISSING_PARAMETER, "grid",
                "is required, or block_side: which queries there are");
        return;
    }
    window = has_grid ? 0 : a->block_side + 2 * a->halo;
    a->axial.q = has_grid ? a->grid : (struct pe_grid){a->block_side, a->block_side};
    a->axial.k = has_grid ? a->grid : (struct pe_grid){window, window};
    lookup_one_head(&a->axial.queries);
}

static const struct axial_kind kind = {row_of, "rows are of key - query"};

const struct pe_encoding pe_encoding_axial_relative_logits = {
    .name = "axial-relative-logits",
    .title = "Relative logits along two axes",
    .formula = "bias = query . table_w[xk - xq + W - 1] + query . table_h[yk - yq + H - 1]",
    .when_to_use = "BoTNet and HaloNet (bottleneck and halo attention of timm) use it. "
                   "decomposed-relpos does the same for queries and keys of two resolutions.",
    .what_goes_wrong =
        "Rows count key - query, the opposite of Swin and of decomposed-relpos. In "
        "HaloNet the "
        "query and its keys are numbered from their own corners, so that the same row means "
        "another distance than in BoTNet. Unless scaled is 1 the bias joins scores that are "
        "already scaled.",
    .picture = "grid=4x4&" AXIAL_PICTURE,
    .summary = "a learned vector for each distance along either axis, met by the query",
    .source = "Srinivas et al. 2021, BoTNet; Vaswani et al. 2021, HaloNet; timm "
              "bottleneck_attn.py, halo_attn.py",
    .examples = PE_WORDS("grid=2x3", "block_side=2&halo=1",
                         "grid=2x2&out=bias&table_h=1;2;3&table_w=10;20;30&queries=1;2;3;4"),
    .family = PE_BIAS,
    .kind = PE_INPUT,
    .detail = &kind,
    PE_TABLES_OF(struct axial_relative_logits, axial, params, outputs),
    .resolve = resolve,
    .check = axial_check,
    .range = axial_range,
    .shape = axial_shape,
    .prepare = axial_prepare,
};
