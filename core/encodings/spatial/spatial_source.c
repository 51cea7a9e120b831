/* SPDX-License-Identifier: Apache-2.0
 * spatial_source.c - one source of coordinates out of three, and its rules. */
#include "core/encodings/spatial/spatial_source.h"

#include <math.h>

/* Returns the list of an axis: one axis has pos alone; two axes are rows and columns, three are
 * time, rows and columns. */
static const struct pe_positions *list_of(const struct spatial_source *s, size_t axes,
                                          size_t axis, const char **name)
{
    const struct {
        const char *name;
        const struct pe_positions *list;
    } lists[] = {{"pos.t", s->t}, {"pos.h", s->h}, {"pos.w", s->w}, {"pos.l", s->l}};
    const size_t at = axes == 2 ? axis + 1 : axis;

    *name = axes > 1 && at < PE_LEN(lists) ? lists[at].name : "pos";
    if (axes == 1)
        return s->pos;
    return at < PE_LEN(lists) && lists[at].list ? lists[at].list : s->pos;
}

struct axes_points spatial_source_points(const struct spatial_source *s, size_t axes)
{
    struct axes_points points = axes_points_none(axes);
    const char *name;

    if (s->ids.rows > 0) {
        points.ids = &s->ids;
        points.rows = s->ids.rows;
    } else if (s->grid_sizes.cols > 0) {
        uint64_t count[AXES_MAX] = {0};

        for (size_t a = 0; a < axes; a++)
            count[a] = (uint64_t)s->grid_sizes.values[a];
        points = axes_points_grid(axes, count);
    } else {
        points.lists = true;
        for (size_t a = 0; a < axes; a++) {
            points.list[a] = list_of(s, axes, a, &name);
            points.rows = points.list[a] ? pe_positions_count(points.list[a]) : 0;
        }
    }
    return points;
}

double spatial_source_largest(const struct spatial_source *s, size_t axes, const char **name)
{
    const struct pe_reals *listed = s->ids.rows > 0 ? &s->ids : &s->grid_sizes;
    const double beyond = s->ids.rows > 0 ? 0 : 1; /* a side counts one more than its last */
    double most = 0, low, high;
    const char *list;

    *name = s->ids.rows > 0 ? "ids" : listed->cols > 0 ? "grid_sizes" : "pos";
    for (size_t i = 0; i < listed->rows * listed->cols; i++)
        most = fmax(most, fabs(listed->values[i]) - beyond);
    for (size_t a = 0; a < axes && listed->cols == 0; a++) {
        pe_positions_range(list_of(s, axes, a, &list), &low, &high);
        if (fmax(fabs(low), fabs(high)) <= most)
            continue;
        most = fmax(fabs(low), fabs(high));
        *name = list;
    }
    return most;
}

static void check_lists(const struct spatial_source *s, size_t axes, struct pe_errors *errors)
{
    const char *name;
    const struct pe_positions *first = list_of(s, axes, 0, &name);
    const struct {
        const char *name;
        const struct pe_positions *list;
        size_t least_axes;
    } only[] = {{"pos.l", s->l, 4}, {"pos.t", s->t, 3}, {"pos.w", s->w, 2}, {"pos.h", s->h, 2}};

    for (size_t i = 0; i < PE_LEN(only); i++)
        if (only[i].list && axes < only[i].least_axes) {
            pe_fail(errors, PE_CONFLICT, only[i].name, "has no effect with %zu ax%s", axes,
                    axes == 1 ? "is; give pos" : "es");
            break;
        }
    for (size_t a = 0; a < axes; a++) {
        const struct pe_positions *list = list_of(s, axes, a, &name);

        if (!list)
            pe_fail(errors, PE_MISSING_PARAMETER, name,
                    axes == 1
                        ? "is required: give it, ids or grid_sizes"
                        : "is required: give it, or pos for all axes, ids, or grid_sizes");
        else if (first && pe_positions_count(list) != pe_positions_count(first))
            pe_fail(errors, PE_CONFLICT, name,
                    "must have as many positions as the first axis, %llu; got %llu",
                    (unsigned long long)pe_positions_count(first),
                    (unsigned long long)pe_positions_count(list));
    }
}

enum pe_status spatial_source_check(const struct spatial_source *s, size_t axes,
                                    struct pe_errors *errors)
{
    const bool ids = s->ids.rows > 0, grid = s->grid_sizes.cols > 0;

    if (ids && s->ids.cols != axes)
        return pe_fail(errors, PE_CONFLICT, "ids", "must have a column an axis, %zu; got %zu",
                       axes, s->ids.cols);
    if (grid && s->grid_sizes.cols != axes)
        return pe_fail(errors, PE_CONFLICT, "grid_sizes",
                       "must have a number an axis, %zu; got %zu", axes, s->grid_sizes.cols);
    for (size_t i = 0; grid && i < axes; i++) {
        if (s->grid_sizes.values[i] != trunc(s->grid_sizes.values[i]))
            return pe_fail(errors, PE_BAD_VALUE, "grid_sizes", "must be whole numbers; got %g",
                           s->grid_sizes.values[i]);
    }
    if (!ids && !grid)
        check_lists(s, axes, errors);
    return errors->count > 0 ? errors->at[0].status : PE_OK;
}
