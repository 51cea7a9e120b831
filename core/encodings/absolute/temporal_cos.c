/* SPDX-License-Identifier: Apache-2.0
 * temporal_cos.c - cosines of a time at frequencies that fall with the column: the fixed time
 * encoding of GraphMixer.
 *
 *     y_c = cos(p w_c),  w_c = sqrt(dim)^(-u_c),  u_c = c sqrt(dim) / (dim - 1)
 *
 * Cong et al. 2023, Do We Really Need Complicated Model Architectures for Temporal Networks?;
 * pytorch_geometric nn/encoding.py, TemporalEncoding, whose docstring writes another ladder.
 */
#include <math.h>
#include <stdio.h>

#include "core/math/rotation/rotation.h"
#include "core/math/trig/frequency.h"

enum { ROWS };

struct temporal_cos {
    const struct pe_positions *pos;
    int64_t dim;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct temporal_cos, pos), .type = PE_POSITIONS, .required = true,
     .fractions = true, .summary = "times, one a row, as 0:128 or 0.5,2,1000"},
    {PE_FIELD(struct temporal_cos, dim), .type = PE_INT, .required = true, .min = 1,
     .max = 65536, .summary = "width of a row: a frequency a column (out_channels)"},
};

static const struct pe_output outputs[] = {
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .summary = "the encoding of each time, a row a time", .by_default = true,
              .bound = "0.501 ULP; f64 1 ULP"},
};

/* ---- the table --------------------------------------------------------------------------- */

static double plan_ns(const struct pe_args *args, const void *values)
{
    return 1000 * (double)((const struct temporal_cos *)values)->dim;
}

static size_t table_key(const struct pe_args *args, const void *values, char *text, size_t size)
{
    const struct temporal_cos *v = values;

    return (size_t)snprintf(text, size, "dim=%lld", (long long)v->dim);
}

static bool frequencies(struct phase_freq *out, size_t count, const void *context)
{
    return frequency_root_ladder(out, count);
}

static void *table_build(const struct pe_args *args, const void *values, size_t *bytes)
{
    const struct temporal_cos *v = values;
    struct rotation_table *table = rotation_table_of((size_t)v->dim, false, frequencies, NULL);

    if (table)
        *bytes = table->bytes;
    return table;
}

static size_t table_grow(void *table, const struct pe_args *args, const void *values,
                         enum pe_growth growth)
{
    const struct temporal_cos *v = values;

    return rotation_table_grow(
        table, rotation_fast_positions(v->pos, pe_args_dtype(args, ROWS)), growth);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct temporal_cos *v = values;
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!rotation)
        return;
    rotation->table = pe_build_table(build);
    rotation->pos = v->pos;
    rotation->amplitude = 1;
    rotation->zero_position = NAN;
    rotation->cols = (size_t)v->dim;
    rotation->band_count = 1;
    rotation->bands[0] = (struct rotation_band){0, ROTATION_COS, 0, (size_t)v->dim, 0, 1};
    rotation_plan(build, ROWS, rotation);
}

const struct pe_encoding pe_encoding_temporal_cos = {
    .name = "temporal-cos",
    .title = "Fixed time encoding of GraphMixer",
    .formula = "rows[p, c] = cos(p * sqrt(dim)^(-u_c)), u_c = c sqrt(dim) / (dim - 1)",
    .when_to_use = "Times of edges in temporal graphs, without weights to learn: GraphMixer, "
                   "TemporalEncoding of PyTorch Geometric. Learned frequencies are time2vec.",
    .what_goes_wrong =
        "The docstring of PyTorch Geometric writes sqrt(dim)^(-(i-1)/sqrt(dim)), its code "
        "takes equal steps from 0 to sqrt(dim): the two ladders differ. Cosines alone cannot "
        "tell a time from its opposite, so that the sign of a difference of times is lost.",
    .picture = "pos=0:128&dim=64",
    .summary = "cosines of a time at frequencies that fall with the column",
    .source = "Cong et al. 2023, GraphMixer; pytorch_geometric nn/encoding.py TemporalEncoding",
    .examples = PE_WORDS("pos=3&dim=4", "pos=0.5,2,1000&dim=8"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct temporal_cos, params, outputs),
    .plan_ns = plan_ns,
    .table_key = table_key,
    .table_build = table_build,
    .table_grow = table_grow,
    .table_free = rotation_table_free,
    .prepare = prepare,
};
