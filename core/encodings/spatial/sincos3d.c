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
#include <math.h>

#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

enum { DIFFUSERS, VJEPA, VJEPA_UNIFORM, T2T };
enum { AXES = 3 };

struct sincos3d {
    struct combine combine; /* parameters of sincos3d/apply */
    int64_t dim, frames;
    struct pe_grid grid;
    double base, temporal_interpolation_scale, spatial_interpolation_scale;
    int preset;
};

static const struct pe_choice presets[] = {
    [DIFFUSERS] = {"diffusers", PE_WORDS("cogvideox"),
                   "a quarter for time, columns before rows", NULL},
    [VJEPA] = {"vjepa", NULL, "half for time, then rows, then columns", NULL},
    [VJEPA_UNIFORM] = {"vjepa-uniform", NULL, "equal widths, cut to dim (uniform_power)", NULL},
    [T2T] = {"t2t", PE_WORDS("tensor2tensor"), "equal widths, closed ladders, zeros at the end",
             NULL},
    {NULL, NULL, NULL, NULL}};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct sincos3d, 1),
    {PE_FIELD(struct sincos3d, frames), .type = PE_INT, .required = true, .min = 1,
     .max = 65536, .summary = "frames (t)"},
    SPATIAL_COLUMNS_ROW_GRID(struct sincos3d),
    SPATIAL_COLUMNS_ROW_BASE(struct sincos3d),
    {PE_FIELD(struct sincos3d, temporal_interpolation_scale), .type = PE_REAL, .optional = true,
     .min = 1e-18, .max = 1e18, .summary = "divides the frames, with diffusers; 1"},
    {PE_FIELD(struct sincos3d, spatial_interpolation_scale), .type = PE_REAL, .optional = true,
     .min = 1e-18, .max = 1e18, .summary = "divides rows and columns, with diffusers; 1"},
    {PE_FIELD(struct sincos3d, preset), .type = PE_CHOICE, .choices = presets,
     .summary = "whose division of the width"},
    COMBINE_ROWS(struct sincos3d),
};

#define ROW_NAMES                                                                              \
    "frames", "grid", "dim", "base", "temporal_interpolation_scale",                           \
        "spatial_interpolation_scale", "preset"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    {PE_OUTPUT("table", PE_F32, "t", "place", "dim"),
     .summary = "the encoding of each place of each frame", .by_default = true, .uses = names,
     .bound = SPATIAL_COLUMNS_BOUND}};

/* ---- rules ------------------------------------------------------------------------------- */

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct sincos3d *s = values;

    if (s->preset != DIFFUSERS)
        return;
    if (isnan(s->temporal_interpolation_scale))
        s->temporal_interpolation_scale = 1;
    if (isnan(s->spatial_interpolation_scale))
        s->spatial_interpolation_scale = 1;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    static const struct {
        int64_t multiple, least;
    } widths[] = {{16, 16}, {8, 8}, {1, 1}, {1, 6}};
    const struct sincos3d *s = values;
    const int64_t multiple = widths[s->preset].multiple, least = widths[s->preset].least;

    if (s->dim % multiple != 0 || s->dim < least)
        pe_fail(errors, PE_CONFLICT, "dim",
                "must be a multiple of %lld and at least %lld with preset=%s; got %lld",
                (long long)multiple, (long long)least, presets[s->preset].name,
                (long long)s->dim);
    if (s->preset != DIFFUSERS && !isnan(s->temporal_interpolation_scale))
        pe_fail(errors, PE_CONFLICT, "temporal_interpolation_scale",
                "has no effect without preset=diffusers");
    if (s->preset != DIFFUSERS && !isnan(s->spatial_interpolation_scale))
        pe_fail(errors, PE_CONFLICT, "spatial_interpolation_scale",
                "has no effect without preset=diffusers");
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
        const size_t axis = s->preset == DIFFUSERS && b > 0 ? AXES - b : b;
        const size_t pairs = pairs_of[s->preset][b], first = layout->pairs;
        struct axes_ladder *ladder = spatial_columns_ladder(
            layout, axis, pairs, s->base, (double)pairs - (s->preset == T2T ? 1 : 0));

        if (s->preset == DIFFUSERS)
            ladder->divisor =
                axis == 0 ? s->temporal_interpolation_scale : s->spatial_interpolation_scale;
        put(layout, 2 * first, AXES_WAVE_SIN, first, pairs);
        put(layout, 2 * first + pairs, AXES_WAVE_COS, first, pairs);
    }
}

const struct pe_encoding pe_encoding_sincos3d = {
    .name = "sincos3d",
    .summary = "sines and cosines of frame, row and column of a video (CogVideoX, V-JEPA)",
    .source = "huggingface/diffusers embeddings.py, get_3d_sincos_pos_embed; facebookresearch/"
              "vjepa2 pos_embs.py; tensor2tensor add_timing_signal_nd",
    .examples = PE_WORDS("frames=2&grid=2x3&dim=16",
                         "frames=3&grid=3x4&dim=32&spatial_interpolation_scale=1.875&"
                         "temporal_interpolation_scale=1",
                         "frames=2&grid=2x2&dim=8&preset=vjepa",
                         "frames=2&grid=2x2&dim=8&preset=vjepa-uniform",
                         "frames=2&grid=2x2&dim=8&preset=t2t&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct sincos3d, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("t=frames", "place=grid"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_sincos3d_apply = {
    .name = "sincos3d/apply",
    .summary = "patches of a video with their sinusoids added, put beside or multiplied",
    .source = "huggingface/diffusers embeddings.py; facebookresearch/vjepa2 pos_embs.py",
    .examples = PE_WORDS("frames=1&grid=1x1&x=1,2,3,4,5,6,7,8&preset=vjepa",
                         "frames=1&grid=1x1&x=1,2&combine=concat&dim=16"),
    COMBINE_APPLY(struct sincos3d, pe_encoding_sincos3d, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
