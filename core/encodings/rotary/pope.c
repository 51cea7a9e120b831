/* SPDX-License-Identifier: Apache-2.0
 * pope.c - polar coordinate embedding: the content of a coordinate is a radius, its position an
 * angle.
 *
 *     w_i = base^(-i/dim), i = 0 .. dim-1 (a frequency a coordinate, not a pair)
 *     q' = [softplus(q) cos(p w) | softplus(q) sin(p w)]
 *     k': angles p w + b, a learned b per head clamped to [-2 pi, 0]
 *
 * Gopalakrishnan et al. 2025 (arXiv 2509.10534); x-transformers, PolarEmbedding.
 */
#include <string.h>

#include "core/encodings/rotary/vectors.h"
#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"
#include "core/math/rotation/rotation.h"
#include "core/math/tensor_row.h"
#include "core/math/trig/frequency.h"
#include "core/math/trig/wavelength.h"
#include "core/plan/table_key.h"

enum { COS, SIN, INV_FREQ };

struct pope {
    const struct pe_positions *pos;
    int64_t dim;
    double base;
    struct pe_reals angle_bias;
    struct vectors vectors;
};

#define ROWS                                                                                   \
    PE_ROW_POS(struct pope, true), PE_ROW_BASE(struct pope),                                   \
    {                                                                                          \
        PE_FIELD(struct pope, angle_bias),                                                     \
            .type = PE_REALS, .matrix = true, .min = -1e3, .max = 1e3,                         \
            PE_OWN("x-transformers", WEIGHTS, BASIC),                                          \
            .summary =                                                                         \
                "learned angles that are added for keys, a row a head, clamped to -2 pi .. 0"  \
    }

static const struct pe_param params[] = {
    ROWS,
    {PE_FIELD(struct pope, dim), .type = PE_INT, .required = true, .min = 1, .max = 65536,
     .summary = "width of a head, which polar coordinates double"},
};

static const struct pe_param apply_params[] = {
    ROWS,
    {PE_FIELD(struct pope, dim), .type = PE_INT, .optional = true, .min = 2, .max = 65536,
     .summary =
         "width of a head, which polar coordinates double; by default the last axis of the "
         "vectors"},
    VECTORS_ROW_HEAD_AXIS(struct pope, vectors),
    VECTORS_ROWS(struct pope, vectors),
};

#define NAMES PE_WORDS("pos", "dim", "base", "angle_bias")

static const struct pe_output outputs[] = {
    [COS] = {PE_OUTPUT("cos", PE_F32, "pos", "heads", "dim"), .label = "Cosines",
             .summary = "cosine of the angle of each column of a head", .by_default = true,
             .uses = NAMES, .bound = "0.501 ULP; f64 1 ULP"},
    [SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "heads", "dim"), .label = "Sines",
             .summary = "sine of the angle of each column of a head", .group = "cos",
             .by_default = true, .uses = NAMES, .bound = "0.501 ULP; f64 1 ULP"},
    [INV_FREQ] = {PE_OUTPUT("inv_freq", PE_F32, "dim"), .label = "Inverse frequencies",
                  .sign = PE_NOT_NEGATIVE, .scale = PE_LOGARITHMIC,
                  .summary = "frequency of each column, in radians per position",
                  .uses = PE_WORDS("dim", "base"), .bound = "0.501 ULP; f64 0.5 ULP"},
};

static const char apply_bound[] = "0.501 ULP; f64 3 ULP";

/* Outputs are twice as wide as the client's vectors: [radius cos | radius sin]. */
static const struct pe_output apply_outputs[] = {
    VECTORS_OUTPUT(VECTORS_X, "x", "Vectors",
                   "vectors of x in polar coordinates, twice as wide", true, apply_bound, "pos",
                   "dim", "base", "seq_axis"),
    VECTORS_OUTPUT(VECTORS_Q, "q", "Queries",
                   "queries of q in polar coordinates, twice as wide", false, apply_bound,
                   "pos", "dim", "base", "seq_axis"),
    VECTORS_OUTPUT(VECTORS_K, "k", "Keys",
                   "keys of k in polar coordinates, twice as wide, their angles biased", false,
                   apply_bound, "pos", "dim", "base", "angle_bias", "seq_axis", "head_axis"),
};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct pope *p = values;

    if (p->angle_bias.rows > 0 && p->angle_bias.cols != (size_t)p->dim)
        pe_fail(errors, PE_CONFLICT, "angle_bias", "must have dim numbers a row, %lld; got %zu",
                (long long)p->dim, p->angle_bias.cols);
}

static size_t heads_of(const struct pope *p)
{
    return p->angle_bias.rows > 0 ? p->angle_bias.rows : 1;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pope *p = values;

    dims[0] = output == INV_FREQ ? (uint64_t)p->dim : pe_positions_count(p->pos);
    dims[1] = heads_of(p);
    dims[2] = (uint64_t)p->dim;
    return output == INV_FREQ ? 1 : 3;
}

/* Adds up an MPFR multiplication a coordinate and a phase an angle. */
static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct pope *p = values;

    return 50e3 + 1500 * (double)p->dim +
           100 * (double)(p->angle_bias.rows * p->angle_bias.cols);
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct pope *p = values;

    struct table_key key = {text, size, 0};

    table_key_add(&key, "base", p->base);
    table_key_add(&key, "dim", (double)p->dim);
    return key.len;
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct pope *p = values;
    struct frequency_ladder ladder = {.base = p->base,
                                      .denominator = (double)p->dim,
                                      .count = (size_t)p->dim,
                                      .multiplier = 1,
                                      .divisor = 1};
    struct rotation_table *table = rotation_table_new(&ladder, false);

    if (table)
        *bytes = table->bytes;
    return table;
}

/* ---- filling ----------------------------------------------------------------------------- */

struct polar {
    const struct pope *values;
    const struct phase_freq *freq;
    phase_t *bias; /* [heads][dim] in turns, or NULL */
};

static void angle_at(const struct polar *polar, double position, uint64_t head, uint64_t col,
                     double *sine, double *cosine)
{
    if (polar->bias)
        phase_sincos(phase_at(&polar->freq[col], position) +
                         polar->bias[head * (uint64_t)polar->values->dim + col],
                     sine, cosine);
    else
        phase_sincos_at(&polar->freq[col], position, sine, cosine);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct polar *polar = state;
    size_t heads = heads_of(polar->values);

    for (uint64_t i = 0; i < rect->rows * rect->cols; i++) {
        uint64_t row = rect->row + i / rect->cols, col = rect->col + i % rect->cols;
        double position = pe_positions_at(polar->values->pos, row / heads), sine, cosine;

        angle_at(polar, position, row % heads, col, &sine, &cosine);
        if (out[COS])
            out[COS][i] = cosine;
        if (out[SIN])
            out[SIN][i] = sine;
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 60};

/* Clamps angles to -2 pi .. 0; -2 pi and below is a whole turn, which equals 0. */
static bool take_bias(struct pe_build *build, struct polar *polar)
{
    const struct pe_reals *bias = &polar->values->angle_bias;

    if (bias->rows == 0)
        return true;
    polar->bias = pe_build_alloc(build, bias->rows * bias->cols * sizeof *polar->bias);
    for (size_t i = 0; polar->bias && i < bias->rows * bias->cols; i++) {
        double angle = bias->values[i];

        if (angle < 0 && angle > -0x1.921fb54442d18p+2) /* 2 pi */
            polar->bias[i] = phase_at(&phase_radian, angle);
    }
    return polar->bias != NULL;
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);
    const struct rotation_table *table = pe_build_table(build);
    struct polar *polar = pe_build_alloc(build, sizeof *polar);
    double *list = NULL;

    if (pe_wants(args, INV_FREQ))
        list = precomputed_new(build, INV_FREQ, 1, table->pairs);
    if (polar)
        *polar = (struct polar){values, table->freq, NULL};
    if (!polar || !take_bias(build, polar) || (!list && pe_wants(args, INV_FREQ)))
        return;
    for (size_t i = 0; list && i < table->pairs; i++)
        list[i] = table->freq[i].hi;
    if (pe_wants(args, COS) || pe_wants(args, SIN))
        pe_build_fill(build, COS, &filler, polar);
}

const struct pe_encoding pe_encoding_pope = {
    .name = "pope",
    .title = "Polar coordinate embedding (PoPE)",
    .formula = "x_c -> (softplus(x_c) cos(p w_c + b_c), softplus(x_c) sin(p w_c + b_c)), w_c = "
               "base^(-c/dim); b for keys only",
    .when_to_use =
        "PoPE separates what (the radius) from where (the angle): each column has an angle "
        "of its own, and a head becomes twice as wide. x-transformers has it.",
    .what_goes_wrong =
        "There are dim frequencies, not dim/2, and the exponent is c/dim. softplus makes "
        "radii positive, so a vector turned by RoPE is no stand-in.",
    .picture = "pos=0:32&dim=32&base=100",
    .summary = "polar coordinates: one angle a coordinate, whose content is its radius",
    .source = "Gopalakrishnan et al. 2025, arXiv 2509.10534; x-transformers PolarEmbedding",
    .examples =
        PE_WORDS("pos=0:4&dim=4", "dim=4&out=inv_freq", "pos=0:2&dim=2&angle_bias=-1,0;-2,-7"),
    .family = PE_ROTARY,
    PE_TABLES(struct pope, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};

/* ---- vectors ----------------------------------------------------------------------------- */

struct polar_vectors {
    struct polar polar;
    struct rotate lay; /* layout of vectors in their tensor; it does not rotate */
    struct pe_tensor tensor;
};

static void fill_vectors(const void *state, const struct pe_rect *rect, double *const out[],
                         const void *const input[], void *scratch)
{
    const struct polar_vectors *v = state;
    const size_t dim = v->lay.span.dim, heads = v->lay.heads ? (size_t)v->lay.heads : 1;
    double *vector = scratch;

    for (uint64_t i = 0; out[0] && i < rect->rows; i++) {
        uint64_t same, row = rotate_row(&v->lay, rect->row + i, &same);
        double position = pe_positions_at(v->polar.values->pos, row / heads), sine, cosine;

        tensor_row(&v->tensor, input[v->lay.input], rect->row + i, 0, dim, vector);
        for (uint64_t c = 0; c < rect->cols; c++) {
            size_t at = (size_t)(rect->col + c) % dim;

            angle_at(&v->polar, position, row % heads, at, &sine, &cosine);
            out[0][i * rect->cols + c] =
                elementary_softplus(vector[at]) * (rect->col + c < dim ? cosine : sine);
        }
    }
}

static size_t vectors_scratch(const void *state, uint64_t elements)
{
    return ((const struct polar_vectors *)state)->lay.span.dim * sizeof(double);
}

static const struct pe_filler vectors_filler = {
    .reference = fill_vectors, .scratch = vectors_scratch, .ns_per_element = 250};

static void apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct pope *p = values;

    if (vectors_resolve_dim(args, &p->vectors, &p->dim, errors) ||
        vectors_resolve_axis(args, &p->vectors, "pos", pe_positions_count(p->pos), errors))
        return;
    if (p->angle_bias.rows > 1)
        vectors_resolve_heads_of(&p->vectors, VECTORS_K, p->angle_bias.rows, errors);
    else if (p->vectors.head_axis != PE_ABSENT_INT)
        pe_fail(errors, PE_CONFLICT, "head_axis", "has no effect without a bias of heads");
}

static size_t apply_shape(const struct pe_args *args, const void *values, size_t output,
                          uint64_t dims[PE_MAX_RANK])
{
    const struct pope *p = values;
    const struct pe_tensor *tensor = vectors_tensor(&p->vectors, output);

    memcpy(dims, tensor->dims, tensor->rank * sizeof *dims);
    dims[tensor->rank - 1] *= 2;
    return tensor->rank;
}

static bool prepare_vectors(struct pe_build *build, const struct pope *p, size_t number)
{
    const struct rotation_table *table = pe_build_table(build);
    struct polar_vectors *v = pe_build_alloc(build, sizeof *v);

    if (!v)
        return false;
    v->polar = (struct polar){p, table->freq, NULL};
    v->tensor = *vectors_tensor(&p->vectors, number);
    if (number == VECTORS_K && !take_bias(build, &v->polar))
        return false;
    v->lay.heads = number == VECTORS_K && p->angle_bias.rows > 1 ? p->angle_bias.rows : 0;
    vectors_lay(pe_build_args(build), &p->vectors, number, &v->lay);
    pe_build_fill(build, number, &vectors_filler, v);
    return true;
}

static void apply_prepare(struct pe_build *build, const void *values)
{
    for (size_t i = 0; i < VECTORS_COUNT; i++)
        if (pe_wants(pe_build_args(build), i) && !prepare_vectors(build, values, i))
            return;
}

const struct pe_encoding pe_encoding_pope_apply = {
    .name = "pope/apply",
    .title = "Vectors in polar coordinates (PoPE)",
    .picture = VECTORS_PICTURE,
    .summary = "queries and keys in polar coordinates: softplus is the radius",
    .source = "Gopalakrishnan et al. 2025, arXiv 2509.10534; x-transformers PolarEmbedding",
    .examples = PE_WORDS("pos=1&x=1,-1,0,2", "pos=0,1&q=1,2;3,4&base=100",
                         "pos=0,1&k=1,2;3,4&angle_bias=-1,0"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct pope, apply_params, apply_outputs),
    .resolve = apply_resolve,
    .check = check,
    .shape = apply_shape,
    .plan_ns = plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = apply_prepare,
};
