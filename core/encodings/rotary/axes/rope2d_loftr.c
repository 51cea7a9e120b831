/* SPDX-License-Identifier: Apache-2.0
 * rope2d_loftr.c - rotations by row and column in turn over a whole feature map:
 *
 *     w_k = base^(-4k/C), k = 0..C/4-1      pair 2k turns by row w_k, pair 2k+1 by column w_k
 *
 * Rows and columns count from 1 and are multiplied by train/test resolution. EfficientLoFTR
 * (Wang et al. 2024), position_encoding.py, which stores its tables in float16. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_loftr {
    struct spatial spatial;
    struct pe_grid train, test;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_loftr, spatial),                                            \
        SPATIAL_ROW_BASE(struct rope2d_loftr, spatial, 10000),                                 \
        {PE_FIELD(struct rope2d_loftr, train), .type = PE_GRID, .optional = true,              \
         .summary = "resolution of training, 832x832"},                                        \
        {PE_FIELD(struct rope2d_loftr, test), .type = PE_GRID, .optional = true,               \
         .summary = "resolution at hand; coordinates are multiplied by train / test"},         \
        SPATIAL_ROW_PAIRING(struct rope2d_loftr, spatial, SPATIAL_ADJACENT),                   \
        SPATIAL_ROW_PROFILE(struct rope2d_loftr, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_loftr, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_loftr, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_loftr, spatial)};

#define NAMES "grid", "base", "train", "test", "pairing", "profile"

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_loftr *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    spatial_lay_two(&layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_IN_TURN);
    for (size_t k = 0; k < 2; k++) {
        layout.points.first[k] = 1;
        if (r->train.height == 0)
            continue;
        layout.points.scale[k].multiplier = (double)(k ? r->train.width : r->train.height);
        layout.points.scale[k].divisor = (double)(k ? r->test.width : r->test.height);
    }
    return layout;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_loftr *r = values;

    if ((r->train.height == 0) != (r->test.height == 0))
        pe_fail(errors, PE_CONFLICT, r->train.height ? "train" : "test",
                "needs the other of train and test: coordinates are multiplied by "
                "train / test");
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope2d_loftr, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_loftr = {
    .name = "rope2d-loftr",
    .summary = "rotary embedding of feature maps by row and column in turn (EfficientLoFTR)",
    .source = "Wang et al. 2024, Efficient LoFTR; zju3dv/EfficientLoFTR position_encoding.py",
    .examples = PE_WORDS("grid=2x3&dim=8",
                         "grid=4x4&dim=8&train=832x832&test=640x480&out=angles,coordinates",
                         "dim=8&out=inv_freq"),
    SPATIAL_HOOKS(struct rope2d_loftr, params, kind),
};

const struct pe_encoding pe_encoding_rope2d_loftr_apply = {
    .name = "rope2d-loftr/apply",
    .summary = "vectors rotated by row and column in turn (EfficientLoFTR)",
    .source = "Wang et al. 2024, Efficient LoFTR; zju3dv/EfficientLoFTR position_encoding.py",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&x=1,2,3,4,5,6,7,8&train=832x832&test=640x480"),
    SPATIAL_APPLY_HOOKS(struct rope2d_loftr, apply_params, apply_outputs, kind),
};
