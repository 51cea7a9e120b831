/* SPDX-License-Identifier: Apache-2.0
 * timestep_embedding.c - sines and cosines of the time of a diffusion:
 *
 *     w_i = base^(-i / (m - s)), i = 0..m-1, m = floor(dim/2), s = downscale_freq_shift
 *     a = scale time_factor t w_i      row = [sin a | cos a], an odd dim appends a zero
 *
 * flip_sin_to_cos puts the cosines first. Ho et al. 2020, DDPM; huggingface/diffusers
 * models/embeddings.py get_timestep_embedding; DiT, GLIDE and guided-diffusion (s = 0, cosines
 * first), black-forest-labs/flux modules/layers.py, NVlabs/edm training/networks.py, ggml,
 * Wan 2.1. */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

struct timestep_embedding {
    struct combine combine; /* parameters of timestep-embedding/apply */
    const struct pe_positions *pos;
    int64_t dim;
    double base, downscale_freq_shift, scale, time_factor;
    bool flip_sin_to_cos;
    int preset;
};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    {PE_FIELD(struct timestep_embedding, dim), .type = PE_INT, .required = true, .min = 2,
     .max = 65536, .summary = "width of a row (embedding_dim); the last of an odd one is 0"},
    {PE_FIELD(struct timestep_embedding, pos), .type = PE_POSITIONS, .required = true,
     .fractions = true, .summary = "timesteps, one a row, as 0:1000:10; fractions are allowed"},
    SPATIAL_COLUMNS_ROW_BASE(struct timestep_embedding, NULL),
    {PE_FIELD(struct timestep_embedding, flip_sin_to_cos), .type = PE_BOOL,
     PE_OWN("diffusers", CONVENTION, BASIC),
     .summary = "all cosines before all sines; sines come first without it"},
    {PE_FIELD(struct timestep_embedding, downscale_freq_shift), .type = PE_REAL, .min = -1e6,
     .max = 32768, .preset = 1, PE_OWN("diffusers", FREQUENCIES, BASIC),
     .summary = "s in the frequencies base^(-i/(m-s)), m = dim/2: 1 ends at 1/base, 0 is the "
                "ladder of Transformers"},
    {PE_FIELD(struct timestep_embedding, scale), .type = PE_REAL, .min = 1e-18, .max = 1e18,
     .preset = 1, .summary = "factor on the times"},
    {PE_FIELD(struct timestep_embedding, time_factor), .type = PE_REAL, .min = 1e-18,
     .max = 1e18, .preset = 1, PE_OWN("Flux", POSITIONS, ADVANCED),
     .summary = "second factor on the times: 1000 in Flux, whose times lie in 0..1"},
    {PE_FIELD(struct timestep_embedding, preset),
     PE_CHOICES(
         {"ddpm", PE_WORDS("diffusers"),
          "DDPM and the defaults of diffusers: sines first, the last frequency is 1/base",
          .stands_for = "flip_sin_to_cos=0&downscale_freq_shift=1"},
         {"dit", PE_WORDS("glide", "guided-diffusion", "stable-diffusion"),
          "DiT, GLIDE, guided-diffusion and Stable Diffusion: cosines first, base^(-i/m)",
          .stands_for = "flip_sin_to_cos=1&downscale_freq_shift=0"},
         {"flux",
          .summary = "Flux: the rows of dit for times in 0..1, which are multiplied by 1000",
          .stands_for = "flip_sin_to_cos=1&downscale_freq_shift=0&time_factor=1000"},
         {"edm-ddpmpp",
          .summary =
              "DDPM++ of EDM, whose endpoint is on: cosines first, the last frequency is "
              "1/base",
          .stands_for = "flip_sin_to_cos=1&downscale_freq_shift=1"},
         {"ggml", .summary = "ggml_timestep_embedding: the rows of dit",
          .stands_for = "flip_sin_to_cos=1&downscale_freq_shift=0"},
         {"wan", .summary = "sinusoidal_embedding_1d of Wan 2.1: the rows of dit",
          .stands_for = "flip_sin_to_cos=1&downscale_freq_shift=0"}),
     .optional = true, .expanded = true},
    COMBINE_ROWS(struct timestep_embedding),
};

#define ROW_NAMES                                                                              \
    "pos", "dim", "base", "flip_sin_to_cos", "downscale_freq_shift", "scale", "time_factor"

static const struct pe_output outputs[] = {SPATIAL_COLUMNS_OUTPUT_ROWS(
    PE_WORDS(ROW_NAMES), true, PE_COLUMN_WAVE, SPATIAL_COLUMNS_BOUND)};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct timestep_embedding *t = values;
    const int64_t pairs = t->dim / 2;

    if (pairs > 1 && t->downscale_freq_shift >= (double)pairs)
        pe_fail(errors, PE_OUT_OF_RANGE, "downscale_freq_shift",
                "must be below %lld, the number of frequencies; got %g", (long long)pairs,
                t->downscale_freq_shift);
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct timestep_embedding *t = values;
    const size_t pairs = (size_t)t->dim / 2;
    struct axes_ladder *ladder =
        spatial_columns_ladder(layout, 0, pairs, t->base, (double)pairs);

    ladder->less = t->downscale_freq_shift;
    ladder->times = t->scale;
    layout->points = axes_points_none(1);
    layout->points.scale[0].multiplier = t->time_factor;
    layout->points.lists = true;
    layout->points.list[0] = t->pos;
    layout->points.rows = pe_positions_count(t->pos);
    layout->cols = (size_t)t->dim;
    spatial_columns_put(layout, t->flip_sin_to_cos ? pairs : 0, 1, AXES_WAVE_SIN, 0, pairs);
    spatial_columns_put(layout, t->flip_sin_to_cos ? 0 : pairs, 1, AXES_WAVE_COS, 0, pairs);
}

const struct pe_encoding pe_encoding_timestep_embedding = {
    .name = "timestep-embedding",
    .title = "Timestep embedding of diffusion models",
    .formula = "w_i = base^(-i / (m - downscale_freq_shift)), m = floor(dim/2)\n"
               "a_i = scale * time_factor * t * w_i\n"
               "rows[t] = [sin a | cos a], flip_sin_to_cos: [cos a | sin a]; odd dim: a 0 more",
    .when_to_use =
        "The time of a diffusion, or of a flow, before the network that conditions on it: "
        "DDPM, Stable Diffusion, DiT, Flux, Wan. Random frequencies of noise levels are "
        "gaussian-fourier.",
    .what_goes_wrong =
        "diffusers has sines first and downscale_freq_shift 1 by default, but Stable "
        "Diffusion, DiT and Flux have cosines first and 0: a port with the defaults of the "
        "other runs and makes worse images. Flux's times lie in 0..1 and are multiplied by "
        "1000; times already multiplied are then multiplied twice.",
    .picture = "pos=0:1000:10&dim=64&preset=dit",
    .summary = "sines and cosines of the time of a diffusion (DDPM, DiT, Flux)",
    .source = "Ho et al. 2020, Denoising Diffusion Probabilistic Models; huggingface/diffusers "
              "models/embeddings.py, get_timestep_embedding",
    .examples = PE_WORDS("pos=0,10,999&dim=8", "pos=10&dim=4&preset=dit",
                         "pos=0,0.125,1&dim=8&preset=flux", "pos=3,7&dim=7&base=100",
                         "pos=0:4&dim=8&downscale_freq_shift=0.5&scale=2"),
    .family = PE_ABSOLUTE,
    PE_TABLES_PART(struct timestep_embedding, params, 0, PE_LEN(params) - COMBINE_COUNT,
                   outputs),
    .check = check,
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_timestep_embedding_apply = {
    .name = "timestep-embedding/apply",
    .title = "Vectors with timestep embeddings",
    .picture = "pos=0:800:100&x=" COMBINE_PICTURE_X,
    .summary = "vectors with the embedding of their times added, put beside or multiplied",
    .source = "Ho et al. 2020; huggingface/diffusers models/embeddings.py",
    .examples = PE_WORDS("pos=10&x=1,2,3,4", "pos=10&x=1,2&combine=concat&dim=4&preset=dit"),
    COMBINE_APPLY(struct timestep_embedding, pe_encoding_timestep_embedding, PE_ABSOLUTE, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
