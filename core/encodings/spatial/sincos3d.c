/* SPDX-License-Identifier: Apache-2.0
 * sincos3d.c - sines and cosines of frame, row and column of a video, each in columns of its
 * own, enc(p) = [sin(p omega) | cos(p omega)], omega_i = base^(-i / (width/2)) of each width:
 *
 *     diffusers     [enc(t), dim/4 | enc(w), 3/8 dim | enc(h), 3/8 dim]
 *     vjepa         [enc(t), dim/2 | enc(h), dim/4 | enc(w), dim/4]
 *     vjepa-uniform three widths of 2 ceil(dim/6), in this order, cut to dim
 *     t2t           three widths of 2 floor(dim/6), omega_i = base^(-i / (width/2 - 1)), then
 *                   zeros
 *
 * diffusers embeddings.py get_3d_sincos_pos_embed (t divided by temporal_interpolation_scale, h
 * and w by spatial_interpolation_scale); facebookresearch/vjepa2 pos_embs.py; tensor2tensor
 * add_timing_signal_nd. */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { DIFFUSERS, VJEPA, VJEPA_UNIFORM, T2T };
enum { AXES = 3 };

struct sincos3d {
    struct combine combine; /* parameters of sincos3d/apply */
    int64_t dim, frames;
    struct pe_grid grid;
    double base, temporal_interpolation_scale, spatial_interpolation_scale;
    int convention;
};

static const struct pe_choice conventions[] = {
    [DIFFUSERS] = {"diffusers", PE_WORDS("cogvideox"),
                   "a quarter of the width for the frame, then the column, then the row: "
                   "diffusers, CogVideoX",
                   NULL,
                   "x=1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0;"
                   "0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0;0,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0"},
    PE_ONE_AT(VJEPA, "vjepa",
              "half of the width for the frame, then the row, then the column: V-JEPA"),
    PE_ONE_AT(VJEPA_UNIFORM, "vjepa-uniform",
              "frame, row and column in equal widths, cut to dim: V-JEPA with uniform_power"),
    [T2T] = {"t2t", PE_WORDS("tensor2tensor"),
             "frame, row and column in equal widths, frequencies that end at 1/base, zeros "
             "at the end: Tensor2Tensor",
             NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct sincos3d, 1),
    {PE_FIELD(struct sincos3d, frames), .type = PE_INT, .required = true, .min = 1,
     .max = 65536},
    SPATIAL_COLUMNS_ROW_GRID(struct sincos3d),
    SPATIAL_COLUMNS_ROW_BASE(struct sincos3d, NULL),
    {PE_FIELD(struct sincos3d, temporal_interpolation_scale), .type = PE_REAL, .min = 1e-18,
     .max = 1e18, .preset = 1, .when = "convention=diffusers",
     PE_OWN("diffusers", POSITIONS, ADVANCED), .summary = "divisor of the numbers of frames"},
    {PE_FIELD(struct sincos3d, spatial_interpolation_scale), .type = PE_REAL, .min = 1e-18,
     .max = 1e18, .preset = 1, .when = "convention=diffusers",
     PE_OWN("diffusers", POSITIONS, ADVANCED),
     .summary = "divisor of rows and columns: 1.875 in CogVideoX"},
    {PE_FIELD(struct sincos3d, convention), .type = PE_CHOICE, .choices = conventions,
     .summary = "library whose division of the width and order of the axes are followed"},
    COMBINE_ROWS(struct sincos3d),
};

#define ROW_NAMES                                                                              \
    "frames", "grid", "dim", "base", "temporal_interpolation_scale",                           \
        "spatial_interpolation_scale", "convention"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("table", PE_F32, "t", "place", "dim"), .label = "Table",
     .columns = PE_COLUMN_AXES_WAVE, .summary = "the encoding of each cell of each frame",
     .by_default = true, .uses = names, .bound = SPATIAL_COLUMNS_BOUND}};

/* ---- rules ------------------------------------------------------------------------------- */

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    static const struct {
        int64_t multiple, least;
    } widths[] = {{16, 16}, {8, 8}, {1, 1}, {1, 6}};
    const struct sincos3d *s = values;
    const int64_t multiple = widths[s->convention].multiple,
                  least = widths[s->convention].least;

    if (s->dim % multiple != 0 || s->dim < least)
        pe_fail(errors, PE_CONFLICT, "dim",
                "must be a multiple of %lld and at least %lld with convention=%s; got %lld",
                (long long)multiple, (long long)least, conventions[s->convention].name,
                (long long)s->dim);
}

/* ---- columns ----------------------------------------------------------------------------- */

/* Puts `count` columns from `at` on, or as many as the row has. */
static void put(struct spatial_columns *layout, size_t at, enum axes_wave wave, size_t first,
                size_t count)
{
    const size_t left = at < layout->cols ? layout->cols - at : 0;

    spatial_columns_put(layout, at, 1, wave, first, count < left ? count : left);
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct sincos3d *s = values;
    const uint64_t sides[AXES] = {(uint64_t)s->frames, (uint64_t)s->grid.height,
                                  (uint64_t)s->grid.width};
    const size_t dim = (size_t)s->dim;
    const size_t pairs_of[][AXES] = {
        [DIFFUSERS] = {dim / 8, 3 * dim / 16, 3 * dim / 16},
        [VJEPA] = {dim / 4, dim / 8, dim / 8},
        [VJEPA_UNIFORM] = {(dim + 5) / 6, (dim + 5) / 6, (dim + 5) / 6},
        [T2T] = {dim / 6, dim / 6, dim / 6}};

    layout->points = axes_points_grid(AXES, sides);
    layout->cols = dim;
    for (size_t b = 0; b < AXES; b++) {
        const size_t axis = s->convention == DIFFUSERS && b > 0 ? AXES - b : b;
        const size_t pairs = pairs_of[s->convention][b], first = layout->pairs;
        struct axes_ladder *ladder = spatial_columns_ladder(
            layout, axis, pairs, s->base, (double)pairs - (s->convention == T2T ? 1 : 0));

        if (s->convention == DIFFUSERS)
            ladder->divisor =
                axis == 0 ? s->temporal_interpolation_scale : s->spatial_interpolation_scale;
        put(layout, 2 * first, AXES_WAVE_SIN, first, pairs);
        put(layout, 2 * first + pairs, AXES_WAVE_COS, first, pairs);
    }
}

const struct pe_encoding pe_encoding_sincos3d = {
    .name = "sincos3d",
    .title = "Sines and cosines of frame, row and column",
    .formula =
        "enc(p) = [sin(p omega) | cos(p omega)], omega_i = base^(-i / (n/2)) in n columns\n"
        "diffusers: [enc(t), dim/4 | enc(w), 3/8 dim | enc(h), 3/8 dim], vjepa: "
        "[enc(t), dim/2 | enc(h), dim/4 | enc(w), dim/4]\n"
        "vjepa-uniform: t, h, w in 2 ceil(dim/6) columns each, cut to dim; t2t: in 2 "
        "floor(dim/6), then zeros",
    .when_to_use =
        "Video models with fixed positions: CogVideoX and others of diffusers, V-JEPA, "
        "Tensor2Tensor. Newer video models turn queries and keys instead (rope-axes, "
        "rope3d-vjepa2); images take sincos2d-mae.",
    .what_goes_wrong =
        "The libraries divide the width among frame, row and column in different "
        "shares, and diffusers has the column before the row where the others have the "
        "row first. CogVideoX divides rows and columns by 1.875: without "
        "spatial_interpolation_scale its positions are wrong. The ladder of t2t ends at "
        "1/base, that of the others before.",
    .picture = "frames=4&grid=4x6&dim=64",
    .summary = "sines and cosines of frame, row and column of a video (CogVideoX, V-JEPA)",
    .source = "huggingface/diffusers embeddings.py, get_3d_sincos_pos_embed; facebookresearch/"
              "vjepa2 pos_embs.py; tensor2tensor add_timing_signal_nd",
    .examples = PE_WORDS("frames=2&grid=2x3&dim=16",
                         "frames=3&grid=3x4&dim=32&spatial_interpolation_scale=1.875&"
                         "temporal_interpolation_scale=1",
                         "frames=2&grid=2x2&dim=8&convention=vjepa",
                         "frames=2&grid=2x2&dim=8&convention=vjepa-uniform",
                         "frames=2&grid=2x2&dim=8&convention=t2t&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct sincos3d, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .check = check,
    .lengths = PE_WORDS("t=frames", "place=grid"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_sincos3d_apply = {
    .name = "sincos3d/apply",
    .title = "Patches of a video with their sines and cosines",
    .picture = "frames=1&grid=2x2&convention=vjepa&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;"
               "0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "patches of a video with their sinusoids added, put beside or multiplied",
    .source = "huggingface/diffusers embeddings.py; facebookresearch/vjepa2 pos_embs.py",
    .examples = PE_WORDS("frames=1&grid=1x1&x=1,2,3,4,5,6,7,8&convention=vjepa",
                         "frames=1&grid=1x1&x=1,2&combine=concat&dim=16"),
    COMBINE_APPLY(struct sincos3d, pe_encoding_sincos3d, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
