/* SPDX-License-Identifier: Apache-2.0
 * nerf.c - sines and cosines of coordinates at frequencies that double:
 *
 *     f_k = 2^(k F / (K-1)), k = 0..K-1, F = max_freq_log2, K-1 unless given
 *     row = [x | sin(f_0 x), cos(f_0 x) | sin(f_1 x), cos(f_1 x) | ...]
 *
 * Each wave is of all coordinates; without log_sampling f_k = 1 + k (2^F - 1) / (K-1). The
 * paper writes 2^k pi (multiply_pi), the reference has no pi. Mildenhall et al. 2020, NeRF;
 * bmild/nerf run_nerf_helpers.py. */
#include <math.h>

#include "core/encodings/spatial/spatial_columns.h"

struct nerf {
    struct pe_reals coords;
    int64_t num_freqs;
    double max_freq_log2;
    bool include_input, log_sampling, multiply_pi;
};

enum { MOST_LOG2 = 120 };

static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_COORDS(struct nerf),
    {PE_FIELD(struct nerf, num_freqs), .type = PE_INT, .min = 1, .max = 4096, .preset = 10,
     .summary = "number of frequencies (multires): 10 for points, 4 for directions in NeRF"},
    {PE_FIELD(struct nerf, include_input), .type = PE_BOOL, .preset = 1,
     PE_OWN("bmild/nerf", CONVENTION, BASIC),
     .summary = "put the coordinates themselves before their waves"},
    {PE_FIELD(struct nerf, log_sampling), .type = PE_BOOL, .preset = 1,
     PE_OWN("bmild/nerf", FREQUENCIES, ADVANCED),
     .summary = "frequencies at equal ratios, powers of 2; false: at equal steps"},
    {PE_FIELD(struct nerf, multiply_pi), .type = PE_BOOL, PE_OWN("posenc", FREQUENCIES, BASIC),
     .summary = "multiply the frequencies by pi, as the paper writes and its code does not"},
    {PE_FIELD(struct nerf, max_freq_log2), .type = PE_REAL, .optional = true, .min = -MOST_LOG2,
     .max = MOST_LOG2, .when = "!num_freqs=1", PE_OWN("bmild/nerf", FREQUENCIES, ADVANCED),
     .summary = "logarithm to base 2 of the last frequency; num_freqs - 1 by default"},
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, PE_COLUMN_ELEMENT, SPATIAL_COLUMNS_BOUND)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct nerf *n = values;

    if (isnan(n->max_freq_log2) && n->num_freqs > 1)
        n->max_freq_log2 = (double)n->num_freqs - 1;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct nerf *n = values;

    if (n->num_freqs > 1 && n->max_freq_log2 > MOST_LOG2)
        pe_fail(errors, PE_OUT_OF_RANGE, "num_freqs",
                "must be at most %d unless max_freq_log2 is given; got %lld", MOST_LOG2 + 1,
                (long long)n->num_freqs);
    spatial_columns_check_given(&n->coords, "coords", errors);
}

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct nerf *n = values;
    const size_t count = (size_t)n->num_freqs, axes = n->coords.cols;
    const size_t lead = n->include_input ? axes : 0;

    layout->points = spatial_columns_given(&n->coords);
    layout->cols = lead + 2 * axes * count;
    spatial_columns_put(layout, 0, 1, AXES_WAVE_NUMBER, 0, lead);
    for (size_t a = 0; a < axes; a++) {
        struct axes_ladder *ladder =
            spatial_columns_ladder(layout, a, count, 2, (double)count - 1);

        ladder->pi = n->multiply_pi;
        if (n->log_sampling) {
            ladder->power = n->max_freq_log2;
        } else { /* a linear ladder ends at half its base: 2 2^F */
            ladder->kind = AXES_PIXEL_LINEAR;
            ladder->growth = 2;
            ladder->growth_number = count > 1 ? n->max_freq_log2 : 0;
        }
        spatial_columns_put(layout, lead + a, 2 * axes, AXES_WAVE_SIN, a * count, count);
        spatial_columns_put(layout, lead + axes + a, 2 * axes, AXES_WAVE_COS, a * count, count);
    }
}

const struct pe_encoding pe_encoding_nerf = {
    .name = "nerf",
    .title = "NeRF: positional encoding of coordinates",
    .formula =
        "f_k = 2^(k F / (K-1)), k = 0..K-1, K = num_freqs, F = max_freq_log2; times pi "
        "with multiply_pi\n"
        "row = [x | sin(f_0 x) | cos(f_0 x) | sin(f_1 x) | ...], each part of all coordinates\n"
        "without log_sampling f_k = 1 + k (2^F - 1) / (K-1)",
    .when_to_use =
        "Radiance fields and other networks of coordinates: NeRF has 10 frequencies for "
        "points and 4 for directions. fourier-features has random directions in place "
        "of the axes, pixel-fourier frequencies up to a resolution.",
    .what_goes_wrong =
        "The paper writes sin(2^k pi x), its code has no pi: weights of the code need "
        "multiply_pi=0. Ports keep all waves of a coordinate together, or leave the "
        "coordinates themselves out (include_input=0). The last frequency is "
        "2^(num_freqs - 1): float32 angles of coordinates far from 0 lose their phase there.",
    .picture = "coords=-1;-0.96875;-0.9375;-0.90625;-0.875;-0.84375;-0.8125;-0.78125;-0.75;"
               "-0.71875;-0.6875;-0.65625;-0.625;-0.59375;-0.5625;-0.53125;-0.5;-0.46875;"
               "-0.4375;-0.40625;-0.375;-0.34375;-0.3125;-0.28125;-0.25;-0.21875;-0.1875;"
               "-0.15625;-0.125;-0.09375;-0.0625;-0.03125;0;0.03125;0.0625;0.09375;0.125;"
               "0.15625;0.1875;0.21875;0.25;0.28125;0.3125;0.34375;0.375;0.40625;0.4375;"
               "0.46875;0.5;0.53125;0.5625;0.59375;0.625;0.65625;0.6875;0.71875;0.75;0.78125;"
               "0.8125;0.84375;0.875;0.90625;0.9375;0.96875;1&num_freqs=6",
    .summary = "sines and cosines of coordinates at frequencies that double (NeRF)",
    .source = "Mildenhall et al. 2020, NeRF: Representing Scenes as Neural Radiance Fields; "
              "bmild/nerf run_nerf_helpers.py",
    .examples = PE_WORDS("coords=.5,-.25&num_freqs=2", "coords=.5;1&num_freqs=3&multiply_pi=1",
                         "coords=.5,.25,1&num_freqs=4&log_sampling=0&include_input=0",
                         "coords=.5&num_freqs=4&max_freq_log2=2.5"),
    .family = PE_SPATIAL,
    PE_TABLES(struct nerf, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("pos=coords.0", "dim=2*num_freqs*coords.1+include_input*coords.1"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};
