/* SPDX-License-Identifier: Apache-2.0
 * spatial_columns.c - makes tensors from points, frequencies and a layout of columns. */
#include "core/encodings/spatial/spatial_columns.h"

#include <math.h>
#include <string.h>

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

static bool take_axial(struct pe_build *build, const struct spatial_columns *wanted,
                       struct axes *axes)
{
    struct phase_freq *freq = pe_build_alloc(build, wanted->pairs * sizeof *freq);
    unsigned char *axis = pe_build_alloc(build, wanted->pairs);

    if (!freq || !axis ||
        !(axes_ladder_build(freq, wanted->ladders, wanted->ladder_count,
                            wanted->points.scale) ||
          pe_build_no_memory(build)))
        return false;
    for (size_t k = 0; k < wanted->ladder_count; k++) {
        const struct axes_ladder *ladder = &wanted->ladders[k];

        for (size_t i = 0; i < ladder->count; i++)
            axis[ladder->first + i * ladder->step] = (unsigned char)ladder->axis;
    }
    axes->axis = axis;
    axes->rotation = rotation_of(build, freq, wanted->pairs);
    return axes->rotation != NULL;
}

bool spatial_columns_dense(struct pe_build *build, struct spatial_columns *wanted,
                           const double *values, bool turns)
{
    const size_t axes = wanted->points.axes;

    wanted->freq = pe_build_alloc(build, axes * wanted->pairs * sizeof *wanted->freq);
    wanted->sign = pe_build_alloc(build, axes * wanted->pairs);
    return wanted->freq && wanted->sign &&
           ((turns ? axes_dense_build_turns : axes_dense_build)(wanted->freq, wanted->sign,
                                                                values, axes, wanted->pairs,
                                                                wanted->points.scale) ||
            pe_build_no_memory(build));
}

struct axes_columns *spatial_columns_new(struct pe_build *build,
                                         const struct spatial_columns *wanted,
                                         struct axes_column **column)
{
    struct axes_columns *columns = pe_build_alloc(build, sizeof *columns);
    const size_t blocks = wanted->blocks ? wanted->blocks : 1;

    *column = pe_build_alloc(build, wanted->cols * blocks * sizeof **column);
    if (!columns || !*column)
        return NULL;
    *columns = (struct axes_columns){
        .axes = {.points = wanted->points, .pairs = wanted->pairs, .sign = wanted->sign},
        .cols = wanted->cols,
        .blocks = blocks,
        .column = *column,
    };
    if (!wanted->freq)
        return take_axial(build, wanted, &columns->axes) ? columns : NULL;
    columns->axes.rotation =
        rotation_of(build, wanted->freq, wanted->points.axes * wanted->pairs);
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

void spatial_columns_serve(struct pe_build *build, struct axes_columns *columns, uint64_t width)
{
    const struct pe_args *args = pe_build_args(build);
    struct axes_columns *map;

    if (!columns)
        return;
    pe_build_fill(build, SPATIAL_COLUMNS_ROWS, &axes_columns_filler, columns);
    if (width == 0 || !pe_wants(args, SPATIAL_COLUMNS_MAP))
        return;
    map = pe_build_alloc(build, sizeof *map);
    if (!map)
        return;
    *map = *columns;
    map->width = width;
    pe_build_fill(build, SPATIAL_COLUMNS_MAP, &axes_columns_filler, map);
}
