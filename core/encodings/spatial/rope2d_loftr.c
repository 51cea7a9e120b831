/* SPDX-License-Identifier: Apache-2.0
 * rope2d_loftr.c - rotations by row and column in turn over a whole feature map:
 *
 *     w_k = base^(-4k/C), k = 0..C/4-1      pair 2k turns by row w_k, pair 2k+1 by column w_k
 *
 * Rows and columns count from 1 and are multiplied by train/test resolution. EfficientLoFTR
 * (Wang et al. 2024), position_encoding.py, which stores its tables in float16. */
#include "core/encodings/spatial/spatial.h"

struct rope2d_loftr {
    struct spatial spatial;
    struct pe_grid train, test;
};

static const struct pe_param params[] = {
    SPATIAL_ROW_GRID(struct rope2d_loftr, spatial),
    SPATIAL_ROW_DIM(struct rope2d_loftr, spatial, 4),
    SPATIAL_ROW_BASE(struct rope2d_loftr, spatial, 10000),
    {PE_FIELD(struct rope2d_loftr, train), .type = PE_GRID, .optional = true,
     .summary = "resolution of training, 832x832"},
    {PE_FIELD(struct rope2d_loftr, test), .type = PE_GRID, .optional = true,
     .summary = "resolution at hand; coordinates are multiplied by train / test"},
    SPATIAL_ROW_PAIRING(struct rope2d_loftr, spatial, SPATIAL_ADJACENT),
    SPATIAL_ROW_WIDTH(struct rope2d_loftr, spatial, SPATIAL_WIDTH_HALF),
    SPATIAL_ROW_PROFILE(struct rope2d_loftr, spatial),
};

static const char *const names[] = {"grid",    "dim",   "base",    "train", "test",
                                    "pairing", "width", "profile", NULL};
static const char *const freq_names[] = {"dim", "base", "profile", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

static struct spatial_layout layout_of(const struct rope2d_loftr *r)
{
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) {
        layout.ladders[k] =
            axes_ladder_open(k, k, 2, quarter, r->spatial.base, (double)quarter);
        layout.points.first[k] = 1;
        if (r->train.height == 0)
            continue;
        layout.points.scale[k].multiplier = (double)(k ? r->train.width : r->train.height);
        layout.points.scale[k].divisor = (double)(k ? r->test.width : r->test.height);
    }
    return layout;
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct rope2d_loftr *r = values;

    (void)args;
    if ((r->train.height == 0) != (r->test.height == 0))
        return pe_fail(errors, PE_CONFLICT, r->train.height ? "train" : "test",
                       "needs the other of train and test: coordinates are multiplied by "
                       "train / test");
    return PE_OK;
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

const struct pe_encoding pe_encoding_rope2d_loftr = {
    .name = "rope2d-loftr",
    .summary = "rotary embedding of feature maps by row and column in turn (EfficientLoFTR)",
    .source = "Wang et al. 2024, Efficient LoFTR; zju3dv/EfficientLoFTR position_encoding.py",
    .examples = PE_WORDS("grid=2x3&dim=8",
                         "grid=4x4&dim=8&train=832x832&test=640x480&out=angles,coordinates",
                         "dim=8&out=inv_freq"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope2d_loftr),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
