/* SPDX-License-Identifier: Apache-2.0
 * rope2d_qwen_vit.c - rotations by row and column of patches that come in blocks, as they are
 * merged later:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pairs 0..d/4-1 by the row, the next by the column
 *
 * Tokens run through blocks of m x m patches (m: spatial_merge_size), the patches are repeated
 * for each of a grid's T frames, grids follow one another. Qwen2-VL's vision tower, rot_pos_emb
 * of transformers modeling_qwen2_vl.py; 2.5 and 3 have it too. */
#include <math.h>

#include "core/encodings/spatial/spatial_apply.h"

enum { HW_POSITION_IDS = SPATIAL_OUTPUTS };

struct rope2d_qwen_vit {
    struct spatial spatial;
    struct pe_reals grid_thw;
    int64_t spatial_merge_size;
};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope2d_qwen_vit, grid_thw),                                               \
     .type = PE_REALS,                                                                         \
     .required = true,                                                                         \
     .min = 0,                                                                                 \
     .max = 65536,                                                                             \
     .matrix = true,                                                                           \
     .summary =                                                                                \
         "frames, rows and columns of each image or video, a row each, as 1,4,6;2,4,4"},       \
        {PE_FIELD(struct rope2d_qwen_vit, spatial_merge_size),                                 \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 64,                                                                            \
         .preset = 2,                                                                          \
         .summary =                                                                            \
             "patches of a side that become one token: the order of the tokens follows"},      \
        SPATIAL_ROW_BASE(struct rope2d_qwen_vit, spatial, 10000),                              \
        SPATIAL_ROW_PAIRING(struct rope2d_qwen_vit, spatial, SPATIAL_HALF),                    \
        SPATIAL_ROW_PROFILE(struct rope2d_qwen_vit, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_qwen_vit, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_qwen_vit, spatial, SPATIAL_WIDTH_FULL),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_qwen_vit, spatial)};

#define NAMES "grid_thw", "spatial_merge_size", "base", "pairing", "profile"

static const char *const id_names[] = {"grid_thw", "spatial_merge_size", NULL};

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names),
    [HW_POSITION_IDS] = {PE_OUTPUT("hw_position_ids", PE_I64, "pos", "axis"),
                         .label = "Rows and columns", .sign = PE_NOT_NEGATIVE,
                         .summary = "row and column of each patch, in the order of the tokens",
                         .uses = id_names, .bound = "exact"},
};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static uint64_t token_count(const struct pe_reals *grids)
{
    uint64_t count = 0;

    for (size_t g = 0; g < grids->rows; g++) {
        const double *side = grids->values + grids->cols * g;

        count += (uint64_t)side[0] * (uint64_t)side[1] * (uint64_t)side[2];
    }
    return count; /* at most 2^48 a grid */
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_qwen_vit *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.points = axes_points_none(2);
    layout.points.grids = &r->grid_thw;
    layout.points.merge = (uint64_t)r->spatial_merge_size;
    layout.points.rows = token_count(&r->grid_thw);
    spatial_lay_two(&layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_HALVES);
    return layout;
}

static bool is_side(double side, double multiple)
{
    return side >= 1 && side == trunc(side) && fmod(side, multiple) == 0;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_qwen_vit *r = values;
    const struct pe_reals *grids = &r->grid_thw;
    const double merge = (double)r->spatial_merge_size;

    if (grids->rows > 0 && grids->cols != 3) {
        pe_fail(errors, PE_BAD_VALUE, "grid_thw",
                "must have three numbers a grid, frames,rows,columns; got %zu", grids->cols);
        return;
    }
    for (size_t g = 0; g < grids->rows; g++) {
        const double *side = grids->values + 3 * g;

        if (!is_side(side[0], 1) || !is_side(side[1], merge) || !is_side(side[2], merge)) {
            pe_fail(errors, PE_CONFLICT, "grid_thw",
                    "must have whole sides from 1, rows and columns multiples of "
                    "spatial_merge_size, %lld; got %g,%g,%g",
                    (long long)r->spatial_merge_size, side[0], side[1], side[2]);
            return;
        }
    }
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    return spatial_shape(&layout, output == HW_POSITION_IDS ? SPATIAL_COORDINATES : output,
                         dims);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct spatial_layout layout = layout_of(values);

    if (pe_wants(pe_build_args(build), HW_POSITION_IDS) &&
        !spatial_prepare_ids(build, HW_POSITION_IDS, &layout))
        return;
    spatial_prepare(build, &layout);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope2d_qwen_vit, spatial),
    .multiple = 4,
    .rows = "grid_thw",
};

const struct pe_encoding pe_encoding_rope2d_qwen_vit = {
    .name = "rope2d-qwen-vit",
    .title = "Qwen2-VL: rotary embedding of patches in merge blocks",
    .formula =
        "w_i = base^(-4i/dim), i = 0..dim/4-1\n"
        "angles of a patch = [row w_0 .. row w_(dim/4-1) | column w_0 .. column w_(dim/4-1)]\n"
        "patches run through blocks of spatial_merge_size x spatial_merge_size, repeated for "
        "each frame",
    .when_to_use =
        "The vision towers of Qwen2-VL, Qwen2.5-VL and Qwen3-VL and the vision mode of ggml. "
        "The language model behind them takes mrope. Towers whose patches run row by row "
        "have rope2d-axial or rope2d-pixtral.",
    .what_goes_wrong =
        "Tokens do not run row by row but block by block: angles in raster order give wrong "
        "positions without an error. Frames share the angles of their patches, time does not "
        "turn. The window attention of Qwen2.5-VL reorders tokens once more, after these "
        "angles.",
    .picture = "grid_thw=1,8,8&dim=64",
    .summary = "rotary embedding of images in merge blocks (Qwen2-VL, 2.5-VL and 3-VL vision)",
    .source = "transformers modeling_qwen2_vl.py rot_pos_emb; ggml's VISION mode",
    .examples = PE_WORDS("grid_thw=1,4,4&dim=8",
                         "grid_thw=1,4,6;2,2,4&dim=80&out=hw_position_ids,angles",
                         "grid_thw=1,3,3&spatial_merge_size=1&dim=8&width=half",
                         "grid_thw=1,4,4&out=hw_position_ids", "dim=80&out=inv_freq"),
    .family = PE_ROTARY,
    PE_TABLES(struct rope2d_qwen_vit, params, outputs),
    .most = PE_WORDS("hw_position_ids=65535"),
    .detail = &kind,
    .resolve = spatial_table_resolve,
    .shape = shape,
    .plan_ns = spatial_table_plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_rope2d_qwen_vit_apply = {
    .name = "rope2d-qwen-vit/apply",
    .title = "Qwen2-VL: vectors turned by row and column",
    .picture = "grid_thw=1,2,4" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by row and column, tokens in merge blocks (Qwen2-VL vision)",
    .source = "transformers modeling_qwen2_vl.py rot_pos_emb; ggml's VISION mode",
    .examples = PE_WORDS("grid_thw=1,1,1&spatial_merge_size=1&x=1,2,3,4",
                         "grid_thw=1,1,1&spatial_merge_size=1&x=1,2,3,4,5,6,7,8&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_qwen_vit, apply_params, apply_outputs, kind),
};
