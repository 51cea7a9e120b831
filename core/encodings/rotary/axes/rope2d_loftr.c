/* SPDX-License-Identifier: Apache-2.0
 * rope2d_loftr.c - rotations by row and column in turn over a whole feature map:
 *
 *     w_k = base^(-4k/C), k = 0..C/4-1      pair 2k turns by row w_k, pair 2k+1 by column w_k
 *
 * Rows and columns count from 1 and are multiplied by train_size / test_size. EfficientLoFTR
 * (Wang et al. 2024), position_encoding.py, which stores its tables in float16. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_loftr {
    struct spatial spatial;
    struct pe_grid train_size, test_size;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_loftr, spatial),                                            \
        SPATIAL_ROW_BASE(struct rope2d_loftr, spatial, 10000),                                 \
        {PE_FIELD(struct rope2d_loftr, train_size),                                            \
         .type = PE_GRID,                                                                      \
         .optional = true,                                                                     \
         PE_OWN("zju3dv/EfficientLoFTR", SHAPE, BASIC),                                        \
         .unit = "pixels",                                                                     \
         .summary = "pixels of the images in training, HEIGHTxWIDTH, as 832x832: rows and "    \
                    "columns are multiplied by train_size / test_size"},                       \
        {PE_FIELD(struct rope2d_loftr, test_size),                                             \
         .type = PE_GRID,                                                                      \
         .required = true,                                                                     \
         .when = "train_size",                                                                 \
         PE_OWN("zju3dv/EfficientLoFTR", SHAPE, BASIC),                                        \
         .unit = "pixels",                                                                     \
         .summary = "pixels of the image at hand, HEIGHTxWIDTH, as 640x480"},                  \
        SPATIAL_ROW_PAIRING(struct rope2d_loftr, spatial, SPATIAL_ADJACENT),                   \
        SPATIAL_ROW_PROFILE(struct rope2d_loftr, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_loftr, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_loftr, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_loftr, spatial)};

#define NAMES "grid", "base", "train_size", "test_size", "pairing", "profile"

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
        if (r->train_size.height == 0)
            continue;
        layout.points.scale[k].multiplier =
            (double)(k ? r->train_size.width : r->train_size.height);
        layout.points.scale[k].divisor = (double)(k ? r->test_size.width : r->test_size.height);
    }
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct rope2d_loftr, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_loftr = {
    .name = "rope2d-loftr",
    .title = "EfficientLoFTR: rotary embedding by row and column in turn",
    .formula =
        "w_k = base^(-4k/dim), k = 0..dim/4-1\n"
        "angles of a cell = [row w_0, column w_0, row w_1, column w_1, ...], rows and columns "
        "from 1, times train_size / test_size",
    .when_to_use =
        "The coarse feature maps of EfficientLoFTR and the image matchers built on it. LoFTR "
        "itself adds sinusoids (loftr-sine); rope2d-moonvit alternates column and row.",
    .what_goes_wrong =
        "Rows and columns count from 1. The row comes before the column, unlike in "
        "loftr-sine and rope2d-moonvit. The authors keep their tables in float16, which "
        "rounds large angles before their sines are taken anew.",
    .picture = "grid=8x8&dim=64",
    .summary = "rotary embedding of feature maps by row and column in turn (EfficientLoFTR)",
    .source = "Wang et al. 2024, Efficient LoFTR; zju3dv/EfficientLoFTR position_encoding.py",
    .examples = PE_WORDS("grid=2x3&dim=8",
                         "grid=4x4&dim=8&train_size=832x832&test_size=640x480&out=angles,"
                         "coordinates",
                         "dim=8&out=inv_freq"),
    SPATIAL_HOOKS(struct rope2d_loftr, params, kind),
};

const struct pe_encoding pe_encoding_rope2d_loftr_apply = {
    .name = "rope2d-loftr/apply",
    .title = "EfficientLoFTR: vectors turned by row and column in turn",
    .picture = SPATIAL_PICTURE,
    .summary = "vectors rotated by row and column in turn (EfficientLoFTR)",
    .source = "Wang et al. 2024, Efficient LoFTR; zju3dv/EfficientLoFTR position_encoding.py",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&x=1,2,3,4,5,6,7,8&train_size=832x832&test_size=640x480"),
    SPATIAL_APPLY_HOOKS(struct rope2d_loftr, apply_params, apply_outputs, kind),
};
