/* SPDX-License-Identifier: Apache-2.0
 * rope_golden_gate.c - frequencies whose directions are spread evenly over all directions:
 *
 *     F[h,f] = u_t magnitude_f, t = h n + f + 1, n = dim/2
 *     magnitude: round(p n) zeros, then min (max/min)^linspace(0, 1, the rest)
 *
 * u_t comes from the sequence frac(t g^-k) through erfinv, or with directions=angle is
 * (cos (t-1) phi, sin (t-1) phi) on two axes, phi = pi (sqrt 5 - 1)/2. Xiong 2025, On
 * N-dimensional rotary positional embeddings. Falcon Perception rotates the second half of a
 * head so (pairing=adjacent, offset_dims half of it), the first by the 1-D position. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_dense.h"
#include "core/encodings/spatial/spatial_source.h"
#include "core/math/axes/axes_dense.h"
#include "core/math/scaling/scaling_exact.h"

enum { DIRECTIONS_QUASI_RANDOM, DIRECTIONS_ANGLE };
enum { PAIRS_MOST = 4096 };

struct rope_golden_gate {
    struct spatial spatial;
    struct spatial_source source;
    int64_t pos_dim, heads;
    double min_freq, max_freq, p_zero_freqs;
    int directions;
};

static const struct pe_choice direction_choices[] = {
    PE_ONE_AT(DIRECTIONS_QUASI_RANDOM, "quasi-random",
              "a sequence that fills the directions of any number of axes evenly: Xiong"),
    PE_ONE_AT(DIRECTIONS_ANGLE, "angle",
              "multiples of the golden angle, for two axes, x before y"),
    {NULL, NULL, NULL, NULL, NULL}};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope_golden_gate, pos_dim),                                               \
     .type = PE_INT,                                                                           \
     .required = true,                                                                         \
     .min = 1,                                                                                 \
     .max = AXES_MAX,                                                                          \
     PE_OWN("Xiong 2025", SHAPE, BASIC),                                                       \
     .summary = "number of axes of the coordinates"},                                          \
        {PE_FIELD(struct rope_golden_gate, heads),                                             \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = 1024,                                                                          \
         .preset = 1,                                                                          \
         .summary = "number of attention heads, each with directions of its own"},             \
        {PE_FIELD(struct rope_golden_gate, min_freq),                                          \
         .type = PE_REAL,                                                                      \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .preset = 1,                                                                          \
         PE_OWN("Xiong 2025", FREQUENCIES, BASIC),                                             \
         .unit = "radians",                                                                    \
         .summary = "smallest frequency of a pair that turns, in radians a unit"},             \
        {PE_FIELD(struct rope_golden_gate, max_freq),                                          \
         .type = PE_REAL,                                                                      \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .preset = 10000,                                                                      \
         PE_OWN("Xiong 2025", FREQUENCIES, BASIC),                                             \
         .unit = "radians",                                                                    \
         .summary = "largest frequency of a pair, in radians a unit"},                         \
        {PE_FIELD(struct rope_golden_gate, p_zero_freqs),                                      \
         .type = PE_REAL,                                                                      \
         .min = 0,                                                                             \
         .max = 1,                                                                             \
         PE_OWN("Xiong 2025", FREQUENCIES, ADVANCED),                                          \
         .summary = "share of the pairs of each head that do not turn"},                       \
        {PE_FIELD(struct rope_golden_gate, directions), .type = PE_CHOICE,                     \
         .choices = direction_choices, PE_OWN("posenc", FREQUENCIES, BASIC),                   \
         .summary = "the rule by which the directions of the pairs are spread"},               \
        SPATIAL_SOURCE_ROWS(struct rope_golden_gate, source),                                  \
        SPATIAL_ROW_PAIRING(struct rope_golden_gate, spatial, SPATIAL_HALF)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope_golden_gate, spatial, 2),
    SPATIAL_ROW_WIDTH(struct rope_golden_gate, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS,
    VECTORS_ROW_HEAD_AXIS(struct rope_golden_gate, spatial.vectors),
    SPATIAL_APPLY_ROWS(struct rope_golden_gate, spatial),
};

#define FREQ_NAMES "pos_dim", "heads", "min_freq", "max_freq", "p_zero_freqs", "directions"
#define NAMES FREQ_NAMES, SPATIAL_SOURCE_NAMES, "pairing"
static const char *const freq_names[] = {FREQ_NAMES, "dim", "rotary_dim", NULL};

static const struct pe_output outputs[] = {
    DENSE_OUTPUT_ROWS(NULL, freq_names, DENSE_BOUND_COMPUTED, "0.501 ULP; f64 4 ULP")};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES, "head_axis")};

static int64_t pairs_of(const struct rope_golden_gate *r)
{
    return spatial_turned(&r->spatial) / 2;
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope_golden_gate *r = values;

    if (r->directions == DIRECTIONS_ANGLE && r->pos_dim != 2)
        pe_fail(errors, PE_CONFLICT, "directions", "angle goes with pos_dim=2; got %lld",
                (long long)r->pos_dim);
    else if (r->min_freq > r->max_freq)
        pe_fail(errors, PE_CONFLICT, "min_freq", "must be at most max_freq, %g", r->max_freq);
    else if (r->heads * pairs_of(r) > PAIRS_MOST)
        pe_fail(errors, PE_CONFLICT, "heads",
                "times the pairs of a head, %lld, must be at most %d; got %lld",
                (long long)pairs_of(r), PAIRS_MOST, (long long)r->heads);
    else if (wants_points)
        spatial_source_check(&r->source, (size_t)r->pos_dim, errors);
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope_golden_gate *r = values;

    return (struct spatial_layout){.points =
                                       spatial_source_points(&r->source, (size_t)r->pos_dim),
                                   .pairs = (size_t)(r->heads * pairs_of(r)),
                                   .heads = (size_t)r->heads,
                                   .pairing = r->spatial.pairing,
                                   .width = r->spatial.width};
}

/* ---- frequencies --------------------------------------------------------------------- */

static double magnitude(const struct rope_golden_gate *r, size_t f)
{
    const size_t n = (size_t)pairs_of(r);
    const double still = nearbyint(r->p_zero_freqs * (double)n); /* ties to even */
    const double rest = (double)n - still, at = (double)f - still;

    if ((double)f < still)
        return 0;
    if (rest < 2)
        return r->min_freq;
    return r->min_freq * scaling_pow(r->max_freq / r->min_freq, at / (rest - 1));
}

/* The shared table has directions[heads * n][axes], which are expensive to compute. */
static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct rope_golden_gate *r = values;

    return (size_t)snprintf(text, size, "axes=%lld count=%lld form=%d", (long long)r->pos_dim,
                            (long long)(r->heads * pairs_of(r)), r->directions);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct rope_golden_gate *r = values;
    const size_t axes = (size_t)r->pos_dim, count = (size_t)(r->heads * pairs_of(r));
    double *direction = malloc(axes * count * sizeof *direction);

    if (direction &&
        !(r->directions == DIRECTIONS_ANGLE ? axes_dense_angles(direction, count)
                                            : axes_dense_directions(direction, count, axes))) {
        free(direction);
        return NULL;
    }
    *bytes = axes * count * sizeof *direction;
    return direction;
}

/* Returns F[axes][heads * n]. */
static const double *frequencies(struct pe_build *build, const void *values)
{
    const struct rope_golden_gate *r = values;
    const double *direction = pe_build_table(build);
    const size_t axes = (size_t)r->pos_dim, n = (size_t)pairs_of(r);
    const size_t pairs = (size_t)r->heads * n;
    double *frequency = pe_build_alloc(build, axes * pairs * sizeof *frequency);

    for (size_t i = 0; frequency && i < pairs; i++) {
        const double size = magnitude(r, i % n);

        for (size_t a = 0; a < axes; a++)
            frequency[a * pairs + i] = direction[i * axes + a] * size;
    }
    return frequency;
}

/* A component takes two steps of MPFR's erf and exp, or a cosine and a sine; a pair a power. */
static double prepare_ns(const void *values)
{
    const struct rope_golden_gate *r = values;
    const double pairs = (double)(r->heads * pairs_of(r));

    return pairs * (r->directions == DIRECTIONS_ANGLE ? 50e3 : 60e3 * (double)r->pos_dim) +
           pairs * 5e3;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .frequencies = frequencies,
    .plan_ns = prepare_ns,
    .part = offsetof(struct rope_golden_gate, spatial),
    .multiple = 2,
    .rows = "pos",
};

const struct pe_encoding pe_encoding_rope_golden_gate = {
    .name = "rope-golden-gate",
    .title = "Golden Gate RoPE: evenly spread directions",
    .formula =
        "angle of pair f of head h = magnitude_f (u_t . pos), t = h n + f + 1, n = dim/2\n"
        "magnitude: round(p_zero_freqs n) zeros, then min_freq (max_freq/min_freq)^x, x "
        "evenly from 0 to 1\n"
        "u_t: erfinv(2 frac(t g^-k) - 1), k = 1..pos_dim, normalized; with "
        "directions=angle (cos (t-1) phi, sin (t-1) phi), phi = pi (sqrt 5 - 1)/2",
    .when_to_use =
        "Images, video and points of any number of axes, without learned weights: Falcon "
        "Perception and diffusion transformers. rope2d-mixed learns its directions, "
        "rope-axes turns each pair by one axis.",
    .what_goes_wrong =
        "Heads have different directions: the same table for all heads is wrong. Coordinates "
        "are expected within about -1 to 1, not counted in patches; max_freq depends on "
        "that. Falcon Perception turns only the second half of a head so (offset_dims, "
        "pairing=adjacent).",
    .picture = "grid_sizes=8,8&pos_dim=2&dim=64&max_freq=10",
    .summary = "rotary embedding of any number of axes by evenly spread directions",
    .source = "Xiong 2025, On N-dimensional rotary positional embeddings",
    .examples =
        PE_WORDS("pos=0:3&pos_dim=2&dim=8", "ids=1,2,3&pos_dim=3&dim=8&heads=2",
                 "ids=1,2&pos_dim=2&dim=8&directions=angle&min_freq=.2&max_freq=20&out=angles",
                 "pos_dim=2&dim=8&max_freq=100&p_zero_freqs=.25&out=frequencies"),
    SPATIAL_DENSE_HOOKS(struct rope_golden_gate, kind),
    .table_key = table_key,
    .table_build = table_build,
    .table_free = free,
};

const struct pe_encoding pe_encoding_rope_golden_gate_apply = {
    .name = "rope-golden-gate/apply",
    .title = "Golden Gate RoPE: vectors turned",
    .picture = "grid_sizes=2,4&pos_dim=2" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by evenly spread directions, of any number of axes",
    .source = "Xiong 2025, On N-dimensional rotary positional embeddings",
    .examples = PE_WORDS(
        "pos=3&pos_dim=2&x=1,2,3,4",
        "ids=1,2,3;4,5,6&pos_dim=3&x=1,2,3,4;5,6,7,8&pairing=adjacent&offset_dims=2",
        "ids=1,2&pos_dim=2&directions=angle&min_freq=.2&max_freq=20&x=1,2,3,4,5,6&inverse=1"),
    SPATIAL_APPLY_HOOKS(struct rope_golden_gate, apply_params, apply_outputs, kind),
    .table_key = table_key,
    .table_build = table_build,
    .table_free = free,
};
