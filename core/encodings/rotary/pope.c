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
#include <math.h>
#include <stdio.h>

#include "core/encoding.h"
#include "core/math/frequency.h"
#include "core/math/rotation.h"
#include "core/math/wavelength.h"
#include "core/math/whole.h"

enum { COS, SIN, INV_FREQ };
enum { TABLE_GROUP, INV_FREQ_GROUP };

struct pope {
    const struct pe_positions *pos;
    int64_t dim;
    double base;
    struct pe_reals bias;
};

static const struct pe_param params[] = {
    PE_ROW_POS(struct pope, true),
    {PE_FIELD(struct pope, dim), .type = PE_INT, .required = true, .min = 1, .max = 65536,
     .summary = "width of a head before it is doubled"},
    PE_ROW_BASE(struct pope),
    {PE_FIELD(struct pope, bias), .type = PE_REALS, .matrix = true, .min = -1e3, .max = 1e3,
     .summary = "for keys: learned angles, one row a head, clamped to -2 pi .. 0"},
};

#define NAMES PE_WORDS("pos", "dim", "base", "bias")

static const struct pe_output outputs[] = {
    [COS] = {"cos",
             "cosine of the angle of each coordinate",
             {"pos", "heads", "dim"},
             TABLE_GROUP,
             PE_F32,
             true,
             NAMES,
             "0.501 ULP; f64 1 ULP"},
    [SIN] = {"sin",
             "sine of the angle of each coordinate",
             {"pos", "heads", "dim"},
             TABLE_GROUP,
             PE_F32,
             true,
             NAMES,
             "0.501 ULP; f64 1 ULP"},
    [INV_FREQ] = {"inv_freq",
                  "radians per position of each coordinate",
                  {"dim"},
                  INV_FREQ_GROUP,
                  PE_F32,
                  false,
                  PE_WORDS("dim", "base"),
                  "0.501 ULP; f64 0.5 ULP"},
};

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct pope *p = values;

    (void)args;
    if (p->bias.rows > 0 && p->bias.cols != (size_t)p->dim)
        return pe_fail(errors, PE_CONFLICT, "bias",
                       "must have dim numbers a row, %lld; got %zu", (long long)p->dim,
                       p->bias.cols);
    return PE_OK;
}

static size_t heads_of(const struct pope *p)
{
    return p->bias.rows > 0 ? p->bias.rows : 1;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct pope *p = values;

    (void)args;
    dims[0] = output == INV_FREQ ? (uint64_t)p->dim : pe_positions_count(p->pos);
    dims[1] = heads_of(p);
    dims[2] = (uint64_t)p->dim;
    return output == INV_FREQ ? 1 : 3;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct pope *p = values;

    (void)args;
    return (size_t)snprintf(text, size, "base=%a dim=%lld", p->base, (long long)p->dim);
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

    (void)args;
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

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct polar *polar = state;
    size_t heads = heads_of(polar->values), dim = (size_t)polar->values->dim;

    (void)input;
    (void)scratch;
    for (uint64_t i = 0; i < rect->rows * rect->cols; i++) {
        uint64_t row = rect->row + i / rect->cols, col = rect->col + i % rect->cols;
        double position = pe_positions_at(polar->values->pos, row / heads), sine, cosine;

        if (polar->bias)
            phase_sincos(phase_at(&polar->freq[col], position) +
                             polar->bias[row % heads * dim + col],
                         &sine, &cosine);
        else
            phase_sincos_at(&polar->freq[col], position, &sine, &cosine);
        if (out[COS])
            out[COS][i] = cosine;
        if (out[SIN])
            out[SIN][i] = sine;
    }
}

static const struct pe_filler filler = {.reference = fill, .ns_per_element = 60};

/* Angles clamped to -2 pi .. 0: below, as 0, is a whole turn. */
static bool take_bias(struct pe_build *build, struct polar *polar)
{
    const struct pe_reals *bias = &polar->values->bias;

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

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct pe_args *args = pe_build_args(build);
    const struct rotation_table *table = pe_build_table(build);
    struct polar *polar = pe_build_alloc(build, sizeof *polar);
    double *list = NULL;

    if (pe_wants(args, INV_FREQ))
        list = whole_new(build, INV_FREQ_GROUP, 1, table->pairs);
    if (polar)
        *polar = (struct polar){values, table->freq, NULL};
    if (!polar || !take_bias(build, polar) || (!list && pe_wants(args, INV_FREQ)))
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    for (size_t i = 0; list && i < table->pairs; i++)
        list[i] = table->freq[i].hi;
    if (pe_wants(args, COS) || pe_wants(args, SIN))
        pe_build_fill(build, TABLE_GROUP, &filler, polar);
    return PE_OK;
}

const struct pe_encoding pe_encoding_pope = {
    .name = "pope",
    .summary = "polar coordinates: one angle a coordinate, whose content is its radius",
    .source = "Gopalakrishnan et al. 2025, arXiv 2509.10534; x-transformers PolarEmbedding",
    .examples =
        PE_WORDS("pos=0:4&dim=4", "dim=4&out=inv_freq", "pos=0:2&dim=2&bias=-1,0;-2,-7"),
    .family = PE_ROTARY,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct pope),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .check = check,
    .shape = shape,
    .table_key = table_key,
    .table_build = table_build,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
