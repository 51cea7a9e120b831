/* SPDX-License-Identifier: Apache-2.0
 * gaussian_fourier.c - sines and cosines of random frequencies of a noise level:
 *
 *     a_i = 2 pi x W_i      row = [sin a | cos a], cos-first exchanges the halves
 *
 * W is given, or drawn as sigma times a normal; log_input takes ln x for x. With phases
 * (AlphaFold 3) the row is cos(2 pi (x W_i + b_i)) alone. Song et al. 2021, Score-Based
 * Generative Modeling; huggingface/diffusers GaussianFourierProjection; NVlabs/edm
 * FourierEmbedding (cos-first). */
#include "core/encodings/absolute/drawn.h"
#include "core/encodings/spatial/spatial_columns.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"

enum { ROWS, WEIGHTS };
enum { SIN_FIRST, COS_FIRST };
/* The frequencies multiply these numbers: x or ln x, the low half of ln x, and 1 for phases. */
enum { HIGH, LOW, ONE, NUMBERS };

struct gaussian_fourier {
    const struct pe_positions *pos;
    struct pe_reals weights, phases;
    int64_t num_freqs, seed;
    double sigma;
    bool log_input;
    int layout;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct gaussian_fourier, pos), .type = PE_POSITIONS, .required = true,
     .fractions = true, .unit = "positions",
     .summary = "noise levels or times x, one a row, as 0.3,2"},
    {PE_FIELD(struct gaussian_fourier, weights), .type = PE_REALS, .min = -1e18, .max = 1e18,
     PE_OWN("score SDE", FREQUENCIES, BASIC),
     .summary = "frequencies W, in turns a unit of x, in place of drawn ones"},
    {PE_FIELD(struct gaussian_fourier, num_freqs), .type = PE_INT, .required = true, .min = 1,
     .max = 32768, .when = "!weights",
     .summary = "number of frequencies that are drawn (embedding_size of diffusers)"},
    {PE_FIELD(struct gaussian_fourier, sigma), .type = PE_REAL, .min = 1e-18, .max = 1e12,
     .preset = 16, .when = "!weights",
     .summary = "standard deviation of drawn frequencies: 16 in score SDE and EDM"},
    {PE_FIELD(struct gaussian_fourier, seed), .type = PE_INT, .min = 0, .max = 0x1p53,
     .when = "!weights"},
    {PE_FIELD(struct gaussian_fourier, phases), .type = PE_REALS, .min = -1e18, .max = 1e18,
     PE_OWN("AlphaFold 3", FREQUENCIES, ADVANCED),
     .summary =
         "phases b, in turns, one a frequency: rows are cosines alone, as in AlphaFold 3"},
    {PE_FIELD(struct gaussian_fourier, log_input), .type = PE_BOOL, .start = "pos=1:65",
     PE_OWN("diffusers", CONVENTION, BASIC),
     .summary = "encode ln x in place of x (log of diffusers)"},
    {PE_FIELD(struct gaussian_fourier, layout),
     PE_CHOICES(PE_ONE_AT(SIN_FIRST, "sin-first",
                          "all sines, then all cosines (score SDE, diffusers)"),
                PE_ONE_AT(COS_FIRST, "cos-first",
                          "all cosines, then all sines (EDM; flip_sin_to_cos of diffusers)")),
     .when = "!phases", .summary = "whether sines or cosines are the first half of a row"},
};

#define WEIGHT_NAMES "weights", "num_freqs", "sigma", "seed"

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .one_of = "weights|num_freqs", .summary = "the encoding of each noise level",
              .by_default = true,
              .uses = PE_WORDS(WEIGHT_NAMES, "pos", "phases", "log_input", "layout"),
              .bound =
                  "0.501 ULP; f64 1 ULP; with log_input or phases 2^-52 of the angle's terms, "
                  "absolute"},
    [WEIGHTS] = {PE_OUTPUT("weights", PE_F32, "feature"), .label = "Frequencies",
                 .one_of = "weights|num_freqs",
                 .summary = "the frequencies W, as given or as drawn",
                 .uses = PE_WORDS(WEIGHT_NAMES), .bound = "0.501 ULP; f64 0.501 ULP"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t count_of(const struct gaussian_fourier *g)
{
    return g->weights.cols > 0 ? g->weights.cols : (size_t)g->num_freqs;
}

static void check_log_input(const struct gaussian_fourier *g, struct pe_errors *errors)
{
    double low, high;

    pe_positions_range(g->pos, &low, &high);
    if (pe_positions_count(g->pos) > 0 && low <= 0)
        pe_fail(errors, PE_OUT_OF_RANGE, "pos", "must be above 0 with log_input; got %g", low);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct gaussian_fourier *g = values;

    if (g->phases.cols > 0 && g->phases.cols != count_of(g))
        pe_fail(errors, PE_CONFLICT, "phases", "must be as many as weights, %zu; got %zu",
                count_of(g), g->phases.cols);
    if (g->log_input && pe_wants(args, ROWS))
        check_log_input(g, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct gaussian_fourier *g = values;
    const uint64_t count = count_of(g);

    dims[0] = output == WEIGHTS ? count : pe_positions_count(g->pos);
    dims[1] = g->phases.cols > 0 ? count : 2 * count;
    return output == WEIGHTS ? 1 : 2;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct gaussian_fourier *g = values;

    return drawn_plan_ns(&g->weights, (double)count_of(g));
}

/* ---- filling ----------------------------------------------------------------------------- */

static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct gaussian_fourier *g = context;
    struct dd x = {pe_positions_at(g->pos, row), 0};

    if (g->log_input)
        x = elementary_log(x.hi);
    numbers[HIGH] = x.hi;
    numbers[LOW] = x.lo;
    numbers[ONE] = 1;
}

/* Returns values[number][pair]: W for both halves of x, the phases b for 1. */
static double *matrix_of(struct pe_build *build, const struct gaussian_fourier *g,
                         const double *weights)
{
    const size_t count = count_of(g);
    double *values = pe_build_alloc(build, NUMBERS * count * sizeof *values);

    for (size_t i = 0; values && i < count; i++) {
        values[HIGH * count + i] = values[LOW * count + i] = weights[i];
        values[ONE * count + i] = g->phases.cols > 0 ? g->phases.values[i] : 0;
    }
    return values;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct gaussian_fourier *g = values;
    const struct pe_args *args = pe_build_args(build);
    const size_t count = count_of(g);
    const double *weights =
        drawn_weights(build, &g->weights, 1, count, g->sigma, (uint64_t)g->seed);
    struct spatial_columns layout = {.points =
                                         axes_points_none(g->phases.cols > 0 ? NUMBERS : ONE),
                                     .pairs = count,
                                     .cols = g->phases.cols > 0 ? count : 2 * count};
    const bool cosines_first = g->layout == COS_FIRST || g->phases.cols > 0;
    const double *matrix;

    if (weights)
        precomputed_show(build, WEIGHTS, weights, count);
    if (!weights || !pe_wants(args, ROWS))
        return;
    layout.points.rows = pe_positions_count(g->pos);
    layout.points.compute = compute;
    layout.points.context = g;
    matrix = matrix_of(build, g, weights);
    spatial_columns_put(&layout, cosines_first ? 0 : count, 1, AXES_WAVE_COS, 0, count);
    if (g->phases.cols == 0)
        spatial_columns_put(&layout, cosines_first ? count : 0, 1, AXES_WAVE_SIN, 0, count);
    if (matrix && spatial_columns_dense(build, &layout, matrix, true))
        spatial_columns_serve(build, &layout);
}

const struct pe_encoding pe_encoding_gaussian_fourier = {
    .name = "gaussian-fourier",
    .title = "Gaussian Fourier features of noise levels",
    .formula = "a_i = 2 pi x W_i, rows = [sin a | cos a]\n"
               "log_input: ln x in place of x; phases: rows = cos(2 pi (x W_i + b_i))",
    .when_to_use =
        "Diffusion models that embed a continuous noise level: score SDE (NCSN++), EDM, "
        "AlphaFold 3. For timesteps with fixed frequencies take timestep-embedding, for "
        "points of images and space fourier-features.",
    .what_goes_wrong =
        "The frequencies are random but part of the model: others than those of the "
        "checkpoint make it useless, and no two libraries draw the same numbers from a seed. "
        "diffusers takes ln x first by default, EDM and AlphaFold 3 scale x themselves; EDM "
        "has cosines first. A port without the factor 2 pi has frequencies 6.28 times too "
        "low.",
    .picture = "pos=0:64&num_freqs=32&sigma=0.02",
    .summary = "sines and cosines of random frequencies of a noise level (score SDE, EDM)",
    .source = "Song et al. 2021, Score-Based Generative Modeling through Stochastic "
              "Differential Equations; huggingface/diffusers GaussianFourierProjection; "
              "NVlabs/edm FourierEmbedding",
    .examples =
        PE_WORDS("pos=0.3&weights=0.5,-1.25", "pos=0.3,2&weights=0.5,-1.25&log_input=1",
                 "pos=0:3&num_freqs=4&seed=42&layout=cos-first",
                 "num_freqs=4&sigma=1&out=weights", "pos=0.5,2&weights=1,2&phases=0.25,0.5"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct gaussian_fourier, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};
