/* SPDX-License-Identifier: Apache-2.0
 * rope2d_moonvit.c - rotations by the column and the row of patches in turn:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pair 2i turns by x w_i, pair 2i+1 by y w_i
 *
 * Kimi-VL's MoonViT, Rope2DPosEmb. */
#include "core/encodings/spatial/spatial.h"

struct rope2d_moonvit {
    struct spatial spatial;
};

static const struct pe_param params[] = {
    SPATIAL_ROW_GRID(struct rope2d_moonvit, spatial),
    SPATIAL_ROW_DIM(struct rope2d_moonvit, spatial, 4),
    SPATIAL_ROW_BASE(struct rope2d_moonvit, spatial, 10000),
    SPATIAL_ROW_CLS(struct rope2d_moonvit, spatial),
    SPATIAL_ROW_PAIRING(struct rope2d_moonvit, spatial, SPATIAL_ADJACENT),
    SPATIAL_ROW_WIDTH(struct rope2d_moonvit, spatial, SPATIAL_WIDTH_HALF),
    SPATIAL_ROW_PROFILE(struct rope2d_moonvit, spatial),
};

static const char *const names[] = {"grid",    "dim",   "base",    "cls",
                                    "pairing", "width", "profile", NULL};
static const char *const freq_names[] = {"dim", "base", "profile", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

static struct spatial_layout layout_of(const struct rope2d_moonvit *r)
{
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) /* x first */
        layout.ladders[k] =
            axes_ladder_open(1 - k, k, 2, quarter, r->spatial.base, (double)quarter);
    return layout;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    (void)args;
    return spatial_shape(&layout, output, dims);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct spatial_layout layout = layout_of(values);

    return spatial_prepare(build, &layout, errors);
}

const struct pe_encoding pe_encoding_rope2d_moonvit = {
    .name = "rope2d-moonvit",
    .summary = "rotary embedding of images, column and row in turn (Kimi-VL MoonViT)",
    .source = "Kimi-VL modeling_kimi_vl.py Rope2DPosEmb",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=14x14&dim=64&out=angles", "dim=8&out=section_axis"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope2d_moonvit),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .shape = shape,
    .prepare = prepare,
};
