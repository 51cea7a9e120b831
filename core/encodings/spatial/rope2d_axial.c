/* SPDX-License-Identifier: Apache-2.0
 * rope2d_axial.c - rotations by the column and the row of an image's patches:
 *
 *     w_i = base^(-4i/d), i = 0..d/4-1      pairs 0..d/4-1 turn by x w_i, the next by y w_i
 *
 * Heo et al. 2024, Rotary Position Embedding for Vision Transformer, axial; SAM 2. */
#include "core/encodings/spatial/spatial.h"

struct rope2d_axial {
    struct spatial spatial;
};

static const struct pe_param params[] = {
    SPATIAL_ROW_GRID(struct rope2d_axial, spatial),
    SPATIAL_ROW_DIM(struct rope2d_axial, spatial, 4),
    SPATIAL_ROW_BASE(struct rope2d_axial, spatial, 100),
    SPATIAL_ROW_CLS(struct rope2d_axial, spatial),
    SPATIAL_ROW_PAIRING(struct rope2d_axial, spatial, SPATIAL_ADJACENT),
    SPATIAL_ROW_WIDTH(struct rope2d_axial, spatial, SPATIAL_WIDTH_HALF),
    SPATIAL_ROW_PROFILE(struct rope2d_axial, spatial),
};

static const char *const names[] = {"grid",    "dim",   "base",    "cls",
                                    "pairing", "width", "profile", NULL};
static const char *const freq_names[] = {"dim", "base", "profile", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

static struct spatial_layout layout_of(const struct rope2d_axial *r)
{
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) /* x first */
        layout.ladders[k] =
            axes_ladder_open(1 - k, k * quarter, 1, quarter, r->spatial.base, (double)quarter);
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

const struct pe_encoding pe_encoding_rope2d_axial = {
    .name = "rope2d-axial",
    .summary = "rotary embedding of images by column and row, axial (rope-vit, SAM 2)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; sam2 "
              "position_encoding.py compute_axial_cis",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=4x6&dim=64&base=10000",
                 "grid=2x2&dim=8&cls=1&width=full&out=cos", "dim=8&out=inv_freq,section_axis"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope2d_axial),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .shape = shape,
    .prepare = prepare,
};
