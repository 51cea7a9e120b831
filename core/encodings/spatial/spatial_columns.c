/* SPDX-License-Identifier: Apache-2.0
 * spatial_columns.c - makes tensors from points, frequencies and a layout of columns. */
#include "core/encodings/spatial/spatial_columns.h"

#include <math.h>

#include "core/math/axes/axes_dense.h"

struct axes_points spatial_columns_given(const struct pe_reals *coords)
{
    struct axes_points points = axes_points_none(coords->cols);

    points.ids = coords;
    points.rows = coords->rows;
    return points;
}

void spatial_columns_check_given(const struct pe_reals *coords, const char *name,
                                 struct pe_errors *errors)
{
    if (coords->cols > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, name, "must have at most %d columns; got %zu", AXES_MAX,
                coords->cols);
}

/* ---- the layout -------------------------------------------------------------------------- */

struct axes_ladder *spatial_columns_ladder(struct spatial_columns *layout, size_t axis,
                                           size_t pairs, double base, double of)
{
    struct axes_ladder *ladder = &layout->ladders[layout->ladder_count++];

    *ladder = axes_ladder_open(axis, layout->pairs, 1, pairs, base, of);
    layout->pairs += pairs;
    return ladder;
}

void spatial_columns_put(struct spatial_columns *layout, size_t at, size_t step,
                         enum axes_wave wave, size_t index, size_t count)
{
    layout->bands[layout->band_count++] = (struct spatial_band){at, step, wave, index, count};
}

/* ---- frequencies ------------------------------------------------------------------------- */

static struct rotation *rotation_of(struct pe_build *build, struct phase_freq *freq,
                                    size_t count)
{
    struct rotation_table *table = pe_build_alloc(build, sizeof *table);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);

    if (!table || !rotation)
        return NULL;
    *table = (struct rotation_table){.pairs = count, .freq = freq};
    *rotation = (struct rotation){.table = table, .amplitude = 1, .zero_position = NAN};
    return rotation;
}

static bool take_axial(struct pe_build *build, const struct spatial_columns *layout,
                       struct axes *axes)
{
    struct phase_freq *freq = pe_build_alloc(build, layout->pairs * sizeof *freq);
    unsigned char *axis = pe_build_alloc(build, layout->pairs);

    if (!freq || !axis ||
        !(axes_ladder_build(freq, layout->ladders, layout->ladder_count,
                            layout->points.scale) ||
          pe_build_no_memory(build)))
        return false;
    for (size_t k = 0; k < layout->ladder_count; k++) {
        const struct axes_ladder *ladder = &layout->ladders[k];

        for (size_t i = 0; i < ladder->count; i++)
            axis[ladder->first + i * ladder->step] = (unsigned char)ladder->axis;
    }
    axes->axis = axis;
    axes->rotation = rotation_of(build, freq, layout->pairs);
    return axes->rotation != NULL;
}

bool spatial_columns_dense(struct pe_build *build, struct spatial_columns *layout,
                           const double *values, bool turns)
{
    const size_t axes = layout->points.axes;

    layout->freq = pe_build_alloc(build, axes * layout->pairs * sizeof *layout->freq);
    layout->sign = pe_build_alloc(build, axes * layout->pairs);
    return layout->freq && layout->sign &&
           ((turns ? axes_dense_build_turns : axes_dense_build)(layout->freq, layout->sign,
                                                                values, axes, layout->pairs,
                                                                layout->points.scale) ||
            pe_build_no_memory(build));
}

struct axes_columns *spatial_columns_new(struct pe_build *build,
                                         const struct spatial_columns *layout,
                                         struct axes_column **column)
{
    struct axes_columns *columns = pe_build_alloc(build, sizeof *columns);
    const size_t blocks = layout->blocks ? layout->blocks : 1;
    struct axes_column *put = pe_build_alloc(build, layout->cols * blocks * sizeof *put);

    if (!columns || !put)
        return NULL;
    *columns = (struct axes_columns){
        .axes = {.points = layout->points, .pairs = layout->pairs, .sign = layout->sign},
        .cols = layout->cols,
        .blocks = blocks,
        .column = put,
        .amplitude = layout->amplitude,
        .blank = layout->blank,
    };
    for (size_t i = 0; i < layout->band_count; i++) {
        const struct spatial_band *band = &layout->bands[i];

        axes_columns_put(put, band->at, band->step, band->wave, band->index, band->count);
    }
    if (column)
        *column = put;
    if (!layout->freq)
        return take_axial(build, layout, &columns->axes) ? columns : NULL;
    columns->axes.rotation =
        rotation_of(build, layout->freq, layout->points.axes * layout->pairs);
    return columns->axes.rotation ? columns : NULL;
}

double spatial_columns_plan_ns(double frequencies)
{
    return 500 * frequencies;
}

/* ---- outputs ----------------------------------------------------------------------------- */

size_t spatial_columns_shape(size_t output, uint64_t cols, const struct pe_grid *grid,
                             uint64_t dims[PE_MAX_RANK])
{
    const uint64_t height = (uint64_t)grid->height, width = (uint64_t)grid->width;

    if (output == SPATIAL_COLUMNS_MAP) {
        dims[0] = cols;
        dims[1] = height;
        dims[2] = width;
        return 3;
    }
    dims[0] = height * width;
    dims[1] = cols;
    return 2;
}

void spatial_columns_fill(struct pe_build *build, struct axes_columns *columns, uint64_t width)
{
    struct axes_columns *map;

    if (!columns)
        return;
    pe_build_fill(build, SPATIAL_COLUMNS_ROWS, &axes_columns_filler, columns);
    if (width == 0 || !pe_wants(pe_build_args(build), SPATIAL_COLUMNS_MAP))
        return;
    map = pe_build_alloc(build, sizeof *map);
    if (!map)
        return;
    *map = *columns;
    map->width = width;
    pe_build_fill(build, SPATIAL_COLUMNS_MAP, &axes_columns_filler, map);
}

void spatial_columns_serve(struct pe_build *build, const struct spatial_columns *layout)
{
    spatial_columns_fill(build, spatial_columns_new(build, layout, NULL), layout->width);
}

/* ---- hooks ------------------------------------------------------------------------------- */

static struct spatial_columns layout_of(const struct pe_args *args, const void *values)
{
    const struct pe_encoding *enc = pe_args_encoding(args);
    const struct spatial_columns_kind *kind = (enc->rows_of ? enc->rows_of : enc)->detail;
    struct spatial_columns layout = {0};

    kind->lay_out(values, &layout);
    return layout;
}

double spatial_columns_kind_plan_ns(const struct pe_args *args, const void *values)
{
    return spatial_columns_plan_ns((double)layout_of(args, values).pairs);
}

void spatial_columns_kind_prepare(struct pe_build *build, const void *values)
{
    const struct spatial_columns layout = layout_of(pe_build_args(build), values);

    spatial_columns_serve(build, &layout);
}
