/* SPDX-License-Identifier: Apache-2.0
 * rope2d_pixtral.c - rotations by row and column, which share one ladder between them:
 *
 *     w_i = base^(-2i/d), i = 0..d/2-1      rows take w_0 w_2 w_4 .., columns w_1 w_3 w_5 ..
 *
 * pairs 0..d/4-1 turn by the row, the next by the column (Hugging Face); Mistral's own code has
 * the same frequencies in adjacent pairs. transformers modeling_pixtral.py.
 * position_ids = row * max_side + column, max_side = image_size / patch_size: rows of the
 * table that the reference looks its rotations up in. */
#include "core/encodings/spatial/spatial_apply.h"

enum { POSITION_IDS = SPATIAL_OUTPUTS };

struct rope2d_pixtral {
    struct spatial spatial;
    int64_t image_size, patch_size;
};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_pixtral, spatial),                                          \
        SPATIAL_ROW_BASE(struct rope2d_pixtral, spatial, 10000),                               \
        {PE_FIELD(struct rope2d_pixtral, image_size),                                          \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 1 << 20,                                                                       \
         .preset = 1024,                                                                       \
         .unit = "pixels",                                                                     \
         .summary = "pixels of the longest side that an image may have"},                      \
        {PE_FIELD(struct rope2d_pixtral, patch_size),                                          \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 1 << 20,                                                                       \
         .preset = 16,                                                                         \
         .unit = "pixels"},                                                                    \
        SPATIAL_ROW_PAIRING(struct rope2d_pixtral, spatial, SPATIAL_HALF),                     \
        SPATIAL_ROW_PROFILE(struct rope2d_pixtral, spatial)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_pixtral, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_pixtral, spatial, SPATIAL_WIDTH_FULL),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_pixtral, spatial)};

#define NAMES "grid", "base", "image_size", "patch_size", "pairing", "profile"

static const char *const id_names[] = {"grid", "image_size", "patch_size", NULL};

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, spatial_freq_names, spatial_freq_names),
    [POSITION_IDS] = {PE_OUTPUT("position_ids", PE_I64, "pos"), .label = "Position ids",
                      .sign = PE_NOT_NEGATIVE,
                      .summary =
                          "row of each patch in the table of the model: row * (image_size / "
                          "patch_size) + column",
                      .uses = id_names, .bound = "exact"},
};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static uint64_t max_side(const struct rope2d_pixtral *r)
{
    return (uint64_t)(r->image_size / r->patch_size);
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_pixtral *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    spatial_lay_two(&layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_HALVES);
    layout.ladders[1].offset = .5; /* w_(2i+1) = base^(-(i + 1/2) 4/d) */
    return layout;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_pixtral *r = values;
    const uint64_t most = max_side(r);

    if ((uint64_t)r->spatial.grid.height > most || (uint64_t)r->spatial.grid.width > most)
        pe_fail(errors, PE_CONFLICT, "grid",
                "must have sides of at most image_size / patch_size, %llu",
                (unsigned long long)most);
}

static struct pe_interval range(const struct pe_args *args, const void *values, size_t output)
{
    const struct rope2d_pixtral *r = values;

    return (struct pe_interval){0, output == POSITION_IDS ? (double)(max_side(r) * max_side(r))
                                                          : 1};
}

/* ---- position ids -------------------------------------------------------------------- */

static double id_at(const void *state, uint64_t row, uint64_t col, const void *const input[])
{
    const struct rope2d_pixtral *r = state;
    const uint64_t width = (uint64_t)r->spatial.grid.width;

    return (double)(col / width * max_side(r) + col % width);
}

static const struct pe_filler ids_filler = {.element = id_at, .ns_per_element = 2};

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    if (output != POSITION_IDS)
        return spatial_shape(&layout, output, dims);
    dims[0] = layout.points.rows;
    return 1;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct spatial_layout layout = layout_of(values);

    pe_build_fill(build, POSITION_IDS, &ids_filler, values);
    spatial_prepare(build, &layout);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope2d_pixtral, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_pixtral = {
    .name = "rope2d-pixtral",
    .title = "Pixtral: rotary embedding of rows and columns on one ladder",
    .formula =
        "w_i = base^(-2i/dim), i = 0..dim/2-1\n"
        "angles of a patch = [row w_0, row w_2, row w_4, ... | column w_1, column w_3, ...]\n"
        "position_ids = row * (image_size / patch_size) + column",
    .when_to_use =
        "The vision tower of Pixtral and of Mistral's later models with vision, in Hugging "
        "Face's form or in Mistral's own (pairing=adjacent). Most other vision towers give "
        "both axes the same frequencies: rope2d-qwen-vit.",
    .what_goes_wrong =
        "Row and column have different frequencies: every other one of one ladder. Hugging "
        "Face's weights turn halves, Mistral's own turn adjacent pairs: the same weights do "
        "not serve both. position_ids count by the largest side that the model allows, not "
        "by the width of the image.",
    .picture = "grid=8x8&dim=64",
    .summary = "rotary embedding of images, rows and columns sharing one ladder (Pixtral)",
    .source =
        "transformers modeling_pixtral.py PixtralRotaryEmbedding, position_ids_in_meshgrid",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=4x5&dim=64&out=cos,position_ids",
                         "grid=2x2&dim=8&width=half&pairing=adjacent",
                         "grid=2x2&out=position_ids", "dim=8&out=inv_freq"),
    .family = PE_ROTARY,
    PE_TABLES(struct rope2d_pixtral, params, outputs),
    .range = range,
    .detail = &kind,
    .resolve = spatial_table_resolve,
    .shape = shape,
    .plan_ns = spatial_table_plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_rope2d_pixtral_apply = {
    .name = "rope2d-pixtral/apply",
    .title = "Pixtral: vectors turned by row and column",
    .picture = SPATIAL_PICTURE,
    .summary = "vectors rotated by row and column, which share one ladder (Pixtral)",
    .source =
        "transformers modeling_pixtral.py PixtralRotaryEmbedding, position_ids_in_meshgrid",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&x=1,2,3,4,5,6,7,8&pairing=adjacent&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope2d_pixtral, apply_params, apply_outputs, kind),
};
