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
     .summary = "K, how many frequencies (multires; 4 for directions)"},
    {PE_FIELD(struct nerf, include_input), .type = PE_BOOL, .preset = 1,
     .summary = "the coordinates themselves come first"},
    {PE_FIELD(struct nerf, log_sampling), .type = PE_BOOL, .preset = 1,
     .summary = "frequencies as powers of 2, not evenly spaced"},
    {PE_FIELD(struct nerf, multiply_pi), .type = PE_BOOL,
     .summary = "times pi, as the paper writes"},
    {PE_FIELD(struct nerf, max_freq_log2), .type = PE_REAL, .optional = true, .min = -MOST_LOG2,
     .max = MOST_LOG2, .summary = "F, logarithm of the last frequency; num_freqs - 1"},
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, SPATIAL_COLUMNS_BOUND)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct nerf *n = values;

    if (isnan(n->max_freq_log2) && n->num_freqs > 1)
        n->max_freq_log2 = (double)n->num_freqs - 1;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct nerf *n = values;

    if (n->num_freqs == 1 && PE_GIVEN(args, struct nerf, max_freq_log2))
        pe_fail(errors, PE_CONFLICT, "max_freq_log2",
                "has no effect with num_freqs=1, whose frequency is 1");
    if (n->num_freqs > 1 && n->max_freq_log2 > MOST_LOG2)
        pe_fail(errors, PE_OUT_OF_RANGE, "num_freqs",
                "must be at most %d unless max_freq_log2 is given; got %lld", MOST_LOG2 + 1,
                (long long)n->num_freqs);
    spatial_columns_check_given(&n->coords, "coords", errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct nerf *n = values;

    dims[0] = n->coords.rows;
    dims[1] = n->coords.cols * (2 * (uint64_t)n->num_freqs + (n->include_input ? 1 : 0));
    return 2;
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
    .shape = shape,
    SPATIAL_COLUMNS_HOOKS(lay_out),
};
