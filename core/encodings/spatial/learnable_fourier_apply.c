/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier_apply.c - descriptors of keypoints turned by where they are, in adjacent
 * pairs: (x_2i, x_2i+1) by a_i = (Wr keypoint)_i.
 *
 * Lindenberger et al. 2023, LightGlue; cvg/LightGlue lightglue.py, apply_cached_rotary_emb. */
#include "core/encodings/spatial/learnable_fourier.h"
#include "core/encodings/spatial/spatial_apply.h"

static const struct pe_param params[] = {
    LEARNABLE_FOURIER_ROWS_ANGLES,
    SPATIAL_APPLY_ROWS(struct learnable_fourier, spatial),
};

static const struct pe_output outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(LEARNABLE_FOURIER_NAMES)};

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    struct learnable_fourier *l = values;

    l->spatial.vectors.head_axis = PE_ABSENT_INT; /* all heads turn alike */
    if (2 * l->wr.rows != (size_t)l->spatial.dim)
        pe_fail(errors, PE_CONFLICT, "wr", "must have a row a pair, dim/2 = %zu; got %zu",
                (size_t)l->spatial.dim / 2, l->wr.rows);
    learnable_fourier_check(l, errors);
}

static struct spatial_layout layout_of(const void *values)
{
    const struct learnable_fourier *l = values;

    return (struct spatial_layout){.points = learnable_fourier_points(l),
                                   .pairs = l->wr.rows,
                                   .pairing = SPATIAL_ADJACENT};
}

static const double *frequencies(struct pe_build *build, const void *values)
{
    return learnable_fourier_matrix(build, values);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .frequencies = frequencies,
    .part = offsetof(struct learnable_fourier, spatial),
    .multiple = 2,
    .rows = "coords",
};

const struct pe_encoding pe_encoding_learnable_fourier_apply = {
    .name = "learnable-fourier/apply",
    .summary = "descriptors rotated by learned directions in space (LightGlue)",
    .source = "Lindenberger et al. 2023, LightGlue; cvg/LightGlue lightglue.py",
    .examples = PE_WORDS("coords=.5,-.375&wr=1,0;0,2&x=1,2,3,4",
                         "coords=480,120;0,0&wr=1,0;0,2&size=640,480&x=1,0,0,1;1,2,3,4",
                         "coords=1,2&wr=.5,1&x=1,2&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct learnable_fourier, params, outputs, kind),
};
