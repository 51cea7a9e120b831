/* SPDX-License-Identifier: Apache-2.0
 * axes_points.c - reads the coordinates of a row from lists, a matrix, or a walk over one grid
 * or several. */
#include <math.h>

#include "core/math/axes/axes.h"
#include "core/math/number/elementary.h"

struct axes_points axes_points_none(size_t axes)
{
    struct axes_points points = {.axes = axes};

    for (size_t a = 0; a < AXES_MAX; a++) {
        points.step[a] = 1;
        points.scale[a] = (struct axes_scale){1, 1, 1, 1};
    }
    return points;
}

struct axes_points axes_points_grid(size_t axes, const uint64_t *count)
{
    struct axes_points points = axes_points_none(axes);

    points.rows = 1;
    for (size_t a = 0; a < axes; a++) {
        points.count[a] = count[a];
        points.rows = __builtin_mul_overflow(points.rows, count[a], &points.rows) ? UINT64_MAX
                                                                                  : points.rows;
    }
    return points;
}

/* Sets index[] to the numbers of step `at` of a walk over count[]: row-major, the last two axes
 * in blocks of merge x merge when merge is more than 1. */
static void walk(const uint64_t *count, size_t axes, uint64_t merge, uint64_t at,
                 uint64_t *index)
{
    size_t plain = axes;

    if (merge > 1) { /* (H/m, W/m, m, m) */
        const uint64_t across = count[axes - 1] / merge;
        const uint64_t column = at % merge, row = at / merge % merge;
        const uint64_t block = at / (merge * merge);

        index[axes - 1] = block % across * merge + column;
        index[axes - 2] = block / across % (count[axes - 2] / merge) * merge + row;
        at = block / across / (count[axes - 2] / merge);
        plain = axes - 2;
    }
    for (size_t a = plain; a > 0; a--) {
        index[a - 1] = at % count[a - 1];
        at /= count[a - 1];
    }
}

/* Walk over several grids (t,h,w), one after the other. The walk over h and w is repeated t
 * times. */
static bool walk_many(const struct axes_points *points, uint64_t at, uint64_t *index)
{
    for (size_t g = 0; g < points->grids->rows; g++) {
        const double *sides = points->grids->values + 3 * g;
        const uint64_t count[2] = {(uint64_t)sides[1], (uint64_t)sides[2]};
        const uint64_t frame = count[0] * count[1], size = (uint64_t)sides[0] * frame;

        if (at < size) {
            walk(count, 2, points->merge, at % frame, index);
            return true;
        }
        at -= size;
    }
    return false;
}

static bool walk_grid(const struct axes_points *points, uint64_t at, uint64_t *index)
{
    uint64_t size = 1;

    if (points->grids)
        return walk_many(points, at, index);
    for (size_t a = 0; a < points->axes; a++)
        size *= points->count[a];
    if (at >= size)
        return false;
    walk(points->count, points->axes, points->merge, at, index);
    return true;
}

/* Returns step * given, which is given without rounding where step is 1. */
static struct dd stepped(const struct axes_points *points, size_t axis, double given)
{
    struct dd product = {given, 0};

    if (points->step[axis] != 1)
        product = elementary_product_any(points->step[axis], given);
    product.lo += points->step_rest[axis] * given;
    return product;
}

static void take(const struct axes_points *points, size_t axis, double given,
                 struct axes_place *place)
{
    const struct dd first = {points->first[axis], points->first_rest[axis]},
                    number = elementary_add(first, stepped(points, axis, given));

    place->number[axis] = number.hi;
    place->rest[axis] = number.lo;
}

static double id_of(const struct axes_points *points, uint64_t at, size_t axis)
{
    return points->ids
        ->values[points->axes_first ? axis * points->rows + at : at * points->axes + axis];
}

void axes_points_at(const struct axes_points *points, uint64_t row, struct axes_place *place)
{
    uint64_t index[AXES_MAX] = {0};
    const bool early = row < points->before;
    const uint64_t at = row - points->before;

    for (size_t a = 0; a < points->axes; a++)
        place->number[a] = place->rest[a] = 0;
    if (early)
        return;
    if (points->compute)
        points->compute(points->context, at, place->number);
    else if (!points->lists && !points->ids && !walk_grid(points, at, index))
        return;
    for (size_t a = 0; a < points->axes && !points->compute; a++)
        if (!points->lists)
            take(points, a, points->ids ? id_of(points, at, a) : (double)index[a], place);
        else if (points->list[a])
            take(points, a, pe_positions_at(points->list[a], at), place);
}

bool axes_points_are_whole(const struct axes_points *points)
{
    for (size_t a = 0; a < points->axes; a++)
        if (points->first_rest[a] != 0 || points->step_rest[a] != 0 ||
            points->first[a] != trunc(points->first[a]) ||
            points->step[a] != trunc(points->step[a]))
            return false;
    return true;
}

double axes_points_scaled(const struct axes_points *points, size_t axis, double number)
{
    const struct axes_scale *scale = &points->scale[axis];
    const double scaled = number * scale->multiplier / scale->divisor * scale->factor;

    return scale->root == 1 ? scaled : scaled * sqrt(scale->root);
}
