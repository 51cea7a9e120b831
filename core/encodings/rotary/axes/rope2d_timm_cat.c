/* SPDX-License-Identifier: Apache-2.0
 * rope2d_timm_cat.c - rotations by row and column as timm's RotaryEmbeddingCat makes them, with
 * B = d/4 frequencies for both axes:
 *
 *     in_pixels=1:  pi 2^(i (log2(max_res) - 1) / (B-1)), or with linear_bands
 *                   pi (1 + i (max_res/2 - 1) / (B-1)), of coordinates from -1 to 1
 *     in_pixels=0:  base^(-i/B) of coordinates k + grid_offset
 *
 * Coordinates are multiplied by ref_grid / grid where ref_grid is given. EVA, EVA-02,
 * Perception Encoder: timm layers/pos_embed_sincos.py. */
#include "core/encodings/spatial/spatial_apply.h"

enum { TABLE = SPATIAL_OUTPUTS };
enum { INDEXING_IJ, INDEXING_XY };

struct rope2d_timm_cat {
    struct spatial spatial;
    struct pe_grid ref_grid;
    double max_res, grid_offset;
    bool in_pixels, linear_bands;
    int grid_indexing;
};

static const struct pe_choice indexings[] = {
    PE_ONE_AT(INDEXING_IJ, "ij", "the row turns the first half of the pairs"),
    PE_ONE_AT(INDEXING_XY, "xy", "the column turns the first half of the pairs"),
    {NULL, NULL, NULL, NULL, NULL}};

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_timm_cat, spatial),                                         \
        {PE_FIELD_OF(struct rope2d_timm_cat, spatial, base),                                   \
         .type = PE_REAL,                                                                      \
         .min = 1,                                                                             \
         .max = 1e18,                                                                          \
         .preset = 10000,                                                                      \
         .when = "!in_pixels",                                                                 \
         .summary = "base of the geometric frequencies (temperature)"},                        \
        {PE_FIELD(struct rope2d_timm_cat, in_pixels), .type = PE_BOOL, .preset = 1,            \
         PE_OWN("timm", CONVENTION, BASIC),                                                    \
         .summary =                                                                            \
             "frequencies up to max_res and coordinates from -1 to 1; false: frequencies by "  \
             "base, and patches counted"},                                                     \
        {PE_FIELD(struct rope2d_timm_cat, max_res),                                            \
         .type = PE_REAL,                                                                      \
         .min = 2,                                                                             \
         .max = 1e9,                                                                           \
         .preset = 224,                                                                        \
         .when = "in_pixels"},                                                                 \
        {PE_FIELD(struct rope2d_timm_cat, linear_bands), .type = PE_BOOL,                      \
         .when = "in_pixels"},                                                                 \
        {PE_FIELD(struct rope2d_timm_cat, grid_offset),                                        \
         .type = PE_REAL,                                                                      \
         .min = -65536,                                                                        \
         .max = 65536,                                                                         \
         .when = "!in_pixels",                                                                 \
         .summary = "added to rows and columns, before they are scaled by ref_grid"},          \
        {PE_FIELD(struct rope2d_timm_cat, ref_grid), .type = PE_GRID, .optional = true,        \
         PE_OWN("posenc", SHAPE, ADVANCED),                                                    \
         .summary = "grid of pre-training, HEIGHTxWIDTH (ref_feat_shape): coordinates are "    \
                    "multiplied by ref_grid / grid"},                                          \
        {PE_FIELD(struct rope2d_timm_cat, grid_indexing), .type = PE_CHOICE,                   \
         .choices = indexings, PE_OWN("timm", CONVENTION, ADVANCED),                           \
         .summary = "which axis turns the first half of the pairs"},                           \
        SPATIAL_ROW_PAIRING(struct rope2d_timm_cat, spatial, SPATIAL_ADJACENT)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_timm_cat, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_timm_cat, spatial, SPATIAL_WIDTH_FULL),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_timm_cat, spatial)};

#define NAMES                                                                                  \
    "grid", "base", "in_pixels", "max_res", "linear_bands", "grid_offset", "ref_grid",         \
        "grid_indexing", "pairing"
static const char *const freq_names[] = {
    "dim", "rotary_dim", "base", "in_pixels", "max_res", "linear_bands", "grid_indexing", NULL};

static const struct pe_output outputs[] = {
    SPATIAL_OUTPUT_ROWS(NULL, freq_names, freq_names),
    [TABLE] = {PE_OUTPUT("table", PE_F32, "pos", "dim"), .label = "Table",
               .summary = "all sines of a patch before all its cosines, as timm returns them",
               .bound = SPATIAL_BOUND},
};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

/* The elements of linspace(-1, 1, n) are whole times 1/(n-1); a single one is its start. */
static void pixel_coordinates(struct axes_points *points, size_t axis)
{
    const double last = (double)points->count[axis] - 1;

    points->first[axis] = last > 0 ? -last : -1;
    points->step[axis] = 2;
    points->scale[axis].divisor = last > 0 ? last : 1;
}

static void take_axis(struct axes_points *points, size_t axis, const struct rope2d_timm_cat *r)
{
    const struct pe_grid *grid = &r->spatial.grid, *ref = &r->ref_grid;

    if (r->in_pixels)
        pixel_coordinates(points, axis);
    else
        points->first[axis] = r->grid_offset;
    if (ref->height == 0 || grid->height == 0)
        return;
    points->scale[axis].multiplier = (double)(axis ? ref->width : ref->height);
    points->scale[axis].divisor *= (double)(axis ? grid->width : grid->height);
}

static struct axes_ladder band_ladder(size_t axis, size_t first, size_t bands,
                                      const struct rope2d_timm_cat *r)
{
    struct axes_ladder ladder = axes_ladder_open(
        axis, first, 1, bands, r->in_pixels ? r->max_res : r->spatial.base, (double)bands);

    if (!r->in_pixels)
        return ladder;
    ladder.kind = r->linear_bands ? AXES_PIXEL_LINEAR : AXES_GEOMETRIC;
    ladder.pi = true;
    ladder.power = 1;
    ladder.under =
        r->linear_bands ? 1 : 2; /* 2^(log2(F) - 1) = F / 2; linear halves F itself */
    ladder.of = bands > 1 ? (double)(bands - 1) : 1;
    return ladder;
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_timm_cat *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t bands = layout.pairs / 2;

    layout.ladder_count = 2;
    for (size_t k = 0; k < 2; k++) {
        const size_t axis = r->grid_indexing == INDEXING_XY ? 1 - k : k;

        take_axis(&layout.points, k, r);
        layout.ladders[k] = band_ladder(axis, k * bands, bands, r);
    }
    return layout;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    if (output != TABLE)
        return spatial_shape(&layout, output, dims);
    spatial_shape(&layout, SPATIAL_COS, dims);
    dims[1] *= 2;
    return 2;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct spatial_layout layout = layout_of(values);

    if (pe_wants(pe_build_args(build), TABLE) && !spatial_prepare_both(build, TABLE, &layout))
        return;
    spatial_prepare(build, &layout);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .part = offsetof(struct rope2d_timm_cat, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_timm_cat = {
    .name = "rope2d-timm-cat",
    .title = "timm: RotaryEmbeddingCat of images",
    .formula =
        "in_pixels: f_i = pi 2^(i (log2(max_res) - 1) / (B-1)), i = 0..B-1, B = dim/4, of "
        "coordinates from -1 to 1; linear_bands: pi (1 + i (max_res/2 - 1) / (B-1))\n"
        "else f_i = base^(-i/B) of row + grid_offset and column + grid_offset\n"
        "angles of a patch = [row f | column f]; coordinates times ref_grid / grid",
    .when_to_use =
        "Models of timm with rotary attention: EVA, EVA-02 (in_pixels=0, ref_grid=16x16), "
        "Perception Encoder. rope2d-axial counts patches with one base as rope-vit does.",
    .what_goes_wrong =
        "timm returns sines before cosines in one tensor (out=table), each value twice in a "
        "row. The default is in_pixels=1, while EVA-02 needs in_pixels=0 and the grid of its "
        "pre-training as ref_grid. Pairs are adjacent entries of a vector, not halves.",
    .picture = "grid=8x8&dim=64&in_pixels=0",
    .summary = "rotary embedding of images in bands of pixels or by base (EVA, EVA-02, PE)",
    .source = "timm layers/pos_embed_sincos.py RotaryEmbeddingCat, build_rotary_pos_embed",
    .examples =
        PE_WORDS("grid=2x3&dim=8", "grid=6x5&dim=64&in_pixels=0&ref_grid=16x16",
                 "grid=2x3&dim=8&in_pixels=0&out=angles",
                 "dim=16&linear_bands=1&out=inv_freq,section_axis", "grid=2x3&dim=8&out=table"),
    .family = PE_ROTARY,
    .revision = 3,
    PE_TABLES(struct rope2d_timm_cat, params, outputs),
    .detail = &kind,
    .resolve = spatial_table_resolve,
    .shape = shape,
    .plan_ns = spatial_table_plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_rope2d_timm_cat_apply = {
    .name = "rope2d-timm-cat/apply",
    .title = "timm: vectors turned by RotaryEmbeddingCat",
    .picture = "in_pixels=0&" SPATIAL_PICTURE,
    .summary = "vectors rotated in bands of pixels or by base (EVA, EVA-02, PE)",
    .source = "timm layers/pos_embed_sincos.py RotaryEmbeddingCat, build_rotary_pos_embed",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&x=1,2,3,4,5,6,7,8&in_pixels=0&grid_offset=2&pairing=half"),
    .revision = 3,
    SPATIAL_APPLY_HOOKS(struct rope2d_timm_cat, apply_params, apply_outputs, kind),
};
