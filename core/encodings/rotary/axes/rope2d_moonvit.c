/* SPDX-License-Identifier: Apache-2.0
 * rope2d_moonvit.c - rotations by the column and the row of patches in turn:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pair 2i turns by x w_i, pair 2i+1 by y w_i
 *
 * Kimi-VL's MoonViT, Rope2DPosEmb. */
#include "core/encodings/spatial/spatial_apply.h"

struct rope2d_moonvit {
    struct spatial spatial;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_moonvit, spatial),                                          \
        SPATIAL_ROW_BASE(struct rope2d_moonvit, spatial, 10000),                               \
        SPATIAL_ROW_CLS(struct rope2d_moonvit, spatial),                                       \
        SPATIAL_ROW_PAIRING(struct rope2d_moonvit, spatial, SPATIAL_ADJACENT),                 \
        SPATIAL_ROW_PROFILE(struct rope2d_moonvit, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_moonvit, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_moonvit, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_moonvit, spatial)};

#define NAMES "grid", "base", "cls", "pairing", "profile"

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_moonvit *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) /* x, axis 1, comes first */
        layout.ladders[k] =
            axes_ladder_open(1 - k, k, 2, quarter, r->spatial.base, (double)quarter);
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct rope2d_moonvit, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_moonvit = {
    .name = "rope2d-moonvit",
    .summary = "rotary embedding of images, column and row in turn (Kimi-VL MoonViT)",
    .source = "Kimi-VL modeling_kimi_vl.py Rope2DPosEmb",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=14x14&dim=64&out=angles", "dim=8&out=section_axis"),
    SPATIAL_HOOKS(struct rope2d_moonvit, kind),
};

const struct pe_encoding pe_encoding_rope2d_moonvit_apply = {
    .name = "rope2d-moonvit/apply",
    .summary = "vectors rotated by column and row in turn (MoonViT)",
    .source = "Kimi-VL modeling_kimi_vl.py Rope2DPosEmb",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4", "grid=1x1&x=1,2,3,4,5,6,7,8&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_moonvit, apply_params, apply_outputs, kind),
};
