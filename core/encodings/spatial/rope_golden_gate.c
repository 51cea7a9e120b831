/* SPDX-License-Identifier: Apache-2.0
 * rope_golden_gate.c - frequencies whose directions are spread evenly over all directions:
 *
 *     F[h,f] = u_t magnitude_f, t = h n + f + 1, n = dim/2
 *     magnitude: round(p n) zeros, then min (max/min)^linspace(0, 1, the rest)
 *
 * u_t from the sequence frac(t g^-k) through erfinv, or of two axes (cos t phi, sin t phi) with
 * phi = pi (sqrt 5 - 1)/2. Xiong 2025, On N-dimensional rotary positional embeddings. */
#include <math.h>

#include "core/encodings/spatial/spatial_dense.h"
#include "core/encodings/spatial/spatial_source.h"
#include "core/math/axes_dense.h"
#include "core/math/scaling/scaling_exact.h"

enum { FORM_QUASI_RANDOM, FORM_ANGLE };

struct rope_golden_gate {
    struct spatial spatial;
    struct spatial_source source;
    int64_t pos_dim, heads;
    double min_freq, max_freq, p_zero_freqs;
    int form;
};

static const struct pe_choice forms[] = {
    [FORM_QUASI_RANDOM] = {"quasi-random", NULL, "any number of axes, through erfinv", NULL},
    [FORM_ANGLE] = {"angle", NULL, "two axes, x then y, by the golden angle", NULL},
    {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    {PE_FIELD(struct rope_golden_gate, pos_dim), .type = PE_INT, .required = true, .min = 1,
     .max = AXES_MAX, .summary = "number of axes"},
    SPATIAL_ROW_DIM(struct rope_golden_gate, spatial, 2),
    {PE_FIELD(struct rope_golden_gate, heads), .type = PE_INT, .min = 1, .max = 1024,
     .preset = 1, .summary = "attention heads, each with directions of its own"},
    {PE_FIELD(struct rope_golden_gate, min_freq), .type = PE_REAL, .min = 1e-9, .max = 1e9,
     .preset = 1, .summary = "smallest magnitude that is not 0"},
    {PE_FIELD(struct rope_golden_gate, max_freq), .type = PE_REAL, .min = 1e-9, .max = 1e9,
     .preset = 10000, .summary = "largest magnitude"},
    {PE_FIELD(struct rope_golden_gate, p_zero_freqs), .type = PE_REAL, .min = 0, .max = 1,
     .summary = "share of the pairs that stand still"},
    {PE_FIELD(struct rope_golden_gate, form), .type = PE_CHOICE, .choices = forms,
     .summary = "which directions"},
    SPATIAL_SOURCE_ROWS(struct rope_golden_gate, source),
    SPATIAL_ROW_PAIRING(struct rope_golden_gate, spatial, SPATIAL_HALF),
    SPATIAL_ROW_WIDTH(struct rope_golden_gate, spatial, SPATIAL_WIDTH_HALF),
};

#define FREQ_NAMES "pos_dim", "dim", "heads", "min_freq", "max_freq", "p_zero_freqs", "form"
static const char *const names[] = {FREQ_NAMES, SPATIAL_SOURCE_NAMES, "pairing", "width", NULL};
static const char *const freq_names[] = {FREQ_NAMES, NULL};

static const struct pe_output outputs[] = {DENSE_OUTPUT_ROWS(names, freq_names)};

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct rope_golden_gate *r = values;

    if (r->form == FORM_ANGLE && r->pos_dim != 2)
        return pe_fail(errors, PE_CONFLICT, "form", "angle goes with pos_dim=2; got %lld",
                       (long long)r->pos_dim);
    if (r->min_freq > r->max_freq)
        return pe_fail(errors, PE_CONFLICT, "min_freq", "must be at most max_freq, %g",
                       r->max_freq);
    if ((double)r->heads * (double)r->spatial.dim > 8192)
        return pe_fail(errors, PE_CONFLICT, "heads", "times dim must be at most 8192");
    if (!(pe_wants(args, DENSE_COS) || pe_wants(args, DENSE_SIN) ||
          pe_wants(args, DENSE_ANGLES) || pe_wants(args, DENSE_COORDINATES)))
        return PE_OK;
    return spatial_source_check(&r->source, (size_t)r->pos_dim, errors);
}

static struct spatial_layout layout_of(const struct rope_golden_gate *r)
{
    return (struct spatial_layout){.points =
                                       spatial_source_points(&r->source, (size_t)r->pos_dim),
                                   .pairs = (size_t)(r->heads * r->spatial.dim / 2),
                                   .pairing = r->spatial.pairing,
                                   .width = r->spatial.width};
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = layout_of(values);

    (void)args;
    return spatial_dense_shape(&layout, output, dims);
}

/* ---- frequencies --------------------------------------------------------------------- */

static double magnitude(const struct rope_golden_gate *r, size_t f)
{
    const size_t n = (size_t)r->spatial.dim / 2;
    const double still = nearbyint(r->p_zero_freqs * (double)n); /* ties to even */
    const double rest = (double)n - still, at = (double)f - still;

    if ((double)f < still)
        return 0;
    if (rest < 2)
        return r->min_freq;
    return r->min_freq * scaling_pow(r->max_freq / r->min_freq, at / (rest - 1));
}

/* F[axes][heads * n] from directions[heads * n][axes]. */
static double *frequencies(struct pe_build *build, const struct rope_golden_gate *r,
                           const struct spatial_layout *layout)
{
    const size_t axes = (size_t)r->pos_dim, n = (size_t)r->spatial.dim / 2;
    double *direction = pe_build_alloc(build, axes * layout->pairs * sizeof *direction);
    double *values = pe_build_alloc(build, axes * layout->pairs * sizeof *values);
    const bool made =
        direction && values &&
        (r->form == FORM_ANGLE ? axes_dense_angles(direction, layout->pairs)
                               : axes_dense_directions(direction, layout->pairs, axes));

    for (size_t i = 0; made && i < layout->pairs; i++) {
        for (size_t a = 0; a < axes; a++)
            values[a * layout->pairs + i] = direction[i * axes + a] * magnitude(r, i % n);
    }
    return made ? values : NULL;
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct rope_golden_gate *r = values;
    struct spatial_layout layout = layout_of(r);
    const double *f = frequencies(build, r, &layout);

    if (!f)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    return spatial_dense_prepare(build, &layout, f, errors);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    (void)args;
    (void)values;
    return 1e9; /* whatever the arguments: off the event loop */
}

const struct pe_encoding pe_encoding_rope_golden_gate = {
    .name = "rope-golden-gate",
    .summary = "rotary embedding of any number of axes by evenly spread directions",
    .source = "Xiong 2025, On N-dimensional rotary positional embeddings",
    .examples =
        PE_WORDS("pos=0:3&pos_dim=2&dim=8", "ids=1,2,3&pos_dim=3&dim=8&heads=2",
                 "ids=1,2&pos_dim=2&dim=8&form=angle&min_freq=.2&max_freq=20&out=angles",
                 "pos_dim=2&dim=8&max_freq=100&p_zero_freqs=.25&out=frequencies"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .plan_ns = plan_ns,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct rope_golden_gate),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .shape = shape,
    .prepare = prepare,
};
