/* SPDX-License-Identifier: Apache-2.0
 * spatial_dense.c - makes tables from frequencies for every axis and pair. */
#include "core/encodings/spatial/spatial_dense.h"

#include <math.h>

#include "core/math/axes/axes_dense.h"
#include "core/math/precomputed.h"

static size_t spatial_dense_shape(const struct spatial_layout *layout, size_t output,
                                  uint64_t dims[PE_MAX_RANK])
{
    static const size_t like[] = {
        [DENSE_COS] = SPATIAL_COS,
        [DENSE_SIN] = SPATIAL_SIN,
        [DENSE_ANGLES] = SPATIAL_ANGLES,
        [DENSE_COORDINATES] = SPATIAL_COORDINATES,
    };

    if (output != DENSE_FREQUENCIES)
        return spatial_shape(layout, like[output], dims);
    dims[0] = layout->points.axes;
    dims[1] = layout->pairs;
    return 2;
}

/* ---- tables -------------------------------------------------------------------------- */

bool spatial_dense_rotation(struct pe_build *build, struct spatial_layout *layout,
                            const double *values)
{
    const size_t count = layout->points.axes * layout->pairs;
    struct rotation_table *table = pe_build_alloc(build, sizeof *table);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);
    struct phase_freq *freq = pe_build_alloc(build, count * sizeof *freq);
    signed char *sign = pe_build_alloc(build, count);

    if (!table || !rotation || !freq || !sign ||
        !(axes_dense_build(freq, sign, values, layout->points.axes, layout->pairs,
                           layout->points.scale) ||
          pe_build_no_memory(build)))
        return false;
    *table = (struct rotation_table){.pairs = count, .freq = freq};
    *rotation = (struct rotation){.table = table, .amplitude = 1, .zero_position = NAN};
    layout->rotation = rotation;
    layout->sign = sign;
    return true;
}

/* Fills the wanted outputs from values, F[axes][pairs], which lives as long as the plan. */
static void prepare_dense(struct pe_build *build, struct spatial_layout *layout,
                          const double *values)
{
    const struct axes *axes =
        spatial_dense_rotation(build, layout, values) ? spatial_axes(build, layout) : NULL;

    if (!axes)
        return;
    precomputed_show(build, DENSE_FREQUENCIES, values, layout->pairs);
    pe_build_fill(build, DENSE_COS, &axes_filler, axes);
    pe_build_fill(build, DENSE_ANGLES, &axes_angle_filler, axes);
    pe_build_fill(build, DENSE_COORDINATES, &axes_coordinate_filler, axes);
}

/* ---- heads --------------------------------------------------------------------------- */

static size_t head_pairs(const struct spatial *spatial)
{
    return spatial->dim < 2 ? 0 : (size_t)spatial_turned(spatial) / 2;
}

size_t spatial_dense_heads(const struct spatial *spatial, size_t columns)
{
    const size_t pairs = head_pairs(spatial);

    return pairs > 0 ? columns / pairs : 0;
}

enum pe_status spatial_dense_check_heads(const struct spatial *spatial, size_t columns,
                                         struct pe_errors *errors)
{
    const size_t pairs = head_pairs(spatial);

    if (pairs > 0 && (columns == 0 || columns % pairs != 0))
        return pe_fail(errors, PE_CONFLICT, "freqs",
                       "must have %zu columns, one a pair that rotates, or as many for each of "
                       "several heads; got %zu",
                       pairs, columns);
    return PE_OK;
}

/* ---- hooks --------------------------------------------------------------------------- */

static const struct spatial_kind *kind_of(const struct pe_args *args)
{
    return pe_args_encoding(args)->detail;
}

void spatial_dense_table_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct spatial_kind *kind = kind_of(args);
    const struct spatial *spatial = (const void *)((const char *)values + kind->part);

    if (spatial->rotary_dim > 0)
        spatial_check_turned(spatial, kind->multiple, "dim", errors);
    if (errors->count == 0)
        kind->resolve(values,
                      pe_wants(args, DENSE_COS) || pe_wants(args, DENSE_SIN) ||
                          pe_wants(args, DENSE_ANGLES) || pe_wants(args, DENSE_COORDINATES),
                      errors);
}

size_t spatial_dense_table_shape(const struct pe_args *args, const void *values, size_t output,
                                 uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = kind_of(args)->layout(values);

    return spatial_dense_shape(&layout, output, dims);
}

void spatial_dense_table_prepare(struct pe_build *build, const void *values)
{
    const struct spatial_kind *kind = kind_of(pe_build_args(build));
    struct spatial_layout layout = kind->layout(values);
    const double *frequencies = kind->frequencies(build, values);

    if (!frequencies)
        return;
    prepare_dense(build, &layout, frequencies);
}
