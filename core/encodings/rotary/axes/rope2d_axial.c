/* SPDX-License-Identifier: Apache-2.0
 * rope2d_axial.c - rotations by the column and the row of an image's patches:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pairs 0..d/4-1 turn by x w_i, the next by y w_i
 *
 * Heo et al. 2024, Rotary Position Embedding for Vision Transformer, axial; SAM 2. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_axial {
    struct spatial spatial;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_axial, spatial),                                            \
        SPATIAL_ROW_BASE(struct rope2d_axial, spatial, 100),                                   \
        SPATIAL_ROW_CLS(struct rope2d_axial, spatial),                                         \
        SPATIAL_ROW_PAIRING(struct rope2d_axial, spatial, SPATIAL_ADJACENT),                   \
        SPATIAL_ROW_PROFILE(struct rope2d_axial, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_axial, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_axial, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_axial, spatial)};

#define NAMES "grid", "base", "cls", "pairing", "profile"

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_axial *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) /* x, axis 1, comes first */
        layout.ladders[k] =
            axes_ladder_open(1 - k, k * quarter, 1, quarter, r->spatial.base, (double)quarter);
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct rope2d_axial, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_axial = {
    .name = "rope2d-axial",
    .summary = "rotary embedding of images by column and row, axial (rope-vit, SAM 2)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; sam2 "
              "position_encoding.py compute_axial_cis",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=4x6&dim=64&base=10000",
                 "grid=2x2&dim=8&cls=1&width=full&out=cos", "dim=8&out=inv_freq,section_axis"),
    SPATIAL_HOOKS(struct rope2d_axial, kind),
};

const struct pe_encoding pe_encoding_rope2d_axial_apply = {
    .name = "rope2d-axial/apply",
    .summary = "vectors rotated by column and row, axial (rope-vit, SAM 2)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; sam2 "
              "position_encoding.py compute_axial_cis",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&cls=0&x=1,2,3,4,5,6,7,8&base=10000&pairing=half&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_axial, apply_params, apply_outputs, kind),
};
