/* SPDX-License-Identifier: Apache-2.0
 * rope2d_mixed.c - rotations by column and row at once, frequencies learned in training:
 *
 *     angle_i = F[0,i] x + F[1,i] y
 *
 * Relative in the vector (dx, dy). Heo et al. 2024, Rotary Position Embedding for Vision
 * Transformer, RoPE-Mixed; of several heads, head after head. */
#include "core/encodings/spatial/spatial_dense.h"

struct rope2d_mixed {
    struct spatial spatial;
    struct pe_reals freqs;
};

static const struct pe_param params[] = {
    SPATIAL_ROW_GRID(struct rope2d_mixed, spatial),
    {PE_FIELD(struct rope2d_mixed, freqs), .type = PE_REALS, .required = true, .matrix = true,
     .min = -1e18, .max = 1e18, .summary = "F: frequencies of columns; of rows: 1,0;0,1"},
    SPATIAL_ROW_CLS(struct rope2d_mixed, spatial),
    SPATIAL_ROW_PAIRING(struct rope2d_mixed, spatial, SPATIAL_ADJACENT),
    SPATIAL_ROW_WIDTH(struct rope2d_mixed, spatial, SPATIAL_WIDTH_HALF),
};

static const char *const names[] = {"grid", "freqs", "cls", "pairing", "width", NULL};
static const char *const freq_names[] = {"freqs", NULL};

static const struct pe_output outputs[] = {DENSE_OUTPUT_ROWS(names, freq_names)};

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct rope2d_mixed *r = values;

    (void)args;
    if (r->freqs.rows != 2)
        return pe_fail(errors, PE_CONFLICT, "freqs",
                       "must have two rows, of columns (x) and of rows (y); got %zu",
                       r->freqs.rows);
    return PE_OK;
}

/* The walk has rows first: F is turned round for it. */
static struct spatial_layout layout_of(const struct rope2d_mixed *r)
{
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.pairs = r->freqs.cols;
    return layout;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    (void)args;
    return spatial_dense_shape(&layout, output, dims);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct rope2d_mixed *r = values;
    struct spatial_layout layout = layout_of(r);
    const size_t pairs = layout.pairs;
    double *rows_first = pe_build_alloc(build, 2 * pairs * sizeof *rows_first);

    if (!rows_first)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    for (size_t i = 0; i < pairs; i++) {
        rows_first[i] = r->freqs.values[pairs + i];
        rows_first[pairs + i] = r->freqs.values[i];
    }
    return spatial_dense_prepare(build, &layout, rows_first, errors);
}

const struct pe_encoding pe_encoding_rope2d_mixed = {
    .name = "rope2d-mixed",
    .summary = "rotary embedding of images by learned mixtures of column and row (rope-vit)",
    .source = "Heo et al. 2024, Rotary Position Embedding for Vision Transformer; naver-ai/"
              "rope-vit models_v2_rope.py",
    .examples = PE_WORDS("grid=2x3&freqs=1,0;0,1", "grid=2x2&freqs=1,.5;-.5,1&cls=1&width=full",
                         "grid=4x4&freqs=1,0;0,1&out=angles,coordinates",
                         "freqs=1,0;0,1&out=frequencies"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope2d_mixed),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .check = check,
    .shape = shape,
    .prepare = prepare,
};
