/* SPDX-License-Identifier: Apache-2.0
 * detr_places.c - counts places once along each axis of a mask, or takes them from the grid. */
#include "core/encodings/spatial/detr_places.h"

#include <string.h>

#include "core/math/number/elementary.h"

enum { AXES = 3 };

/* ---- rules ------------------------------------------------------------------------------- */

struct pe_grid detr_places_grid(const struct detr_places *places, int64_t frames)
{
    if (places->padding_mask.rows > 0)
        return (struct pe_grid){(int64_t)places->padding_mask.rows / frames,
                                (int64_t)places->padding_mask.cols};
    return places->grid;
}

void detr_places_resolve(const struct detr_places *places, struct detr_ladder *ladder)
{
    if (!places->normalize)
        ladder->scale = 1;
    detr_ladder_resolve(ladder);
}

/* Fills in the lengths of a mask's axes, frames first, and the strides in memory along each. */
static void take_axes(const struct detr_places *places, int64_t frames, size_t sides[AXES],
                      size_t strides[AXES])
{
    const struct pe_grid grid = detr_places_grid(places, frames);

    sides[0] = (size_t)frames;
    sides[1] = (size_t)grid.height;
    sides[2] = (size_t)grid.width;
    strides[2] = 1;
    strides[1] = sides[2];
    strides[0] = sides[1] * sides[2];
}

/* Says whether a line along one of the last `axes` is all padding: its last place is then 0. */
static bool all_padding(const struct detr_places *places, int64_t frames, size_t axes)
{
    const double *pixels = places->padding_mask.values;
    const size_t cells = places->padding_mask.rows * places->padding_mask.cols;
    size_t sides[AXES], strides[AXES];

    take_axes(places, frames, sides, strides);
    for (size_t a = AXES - axes; a < AXES; a++) {
        for (size_t first = 0; first < cells; first++) {
            size_t padded = 0;

            if (first / strides[a] % sides[a] != 0)
                continue; /* a line begins where the coordinate is 0 */
            while (padded < sides[a] && pixels[first + padded * strides[a]] != 0)
                padded++;
            if (padded == sides[a])
                return true;
        }
    }
    return false;
}

enum pe_status detr_places_check(const struct detr_places *places, int64_t frames, size_t axes,
                                 struct pe_errors *errors)
{
    const struct pe_reals *mask = &places->padding_mask;
    const size_t cells = mask->rows * mask->cols;

    if (mask->rows % (size_t)frames != 0)
        return pe_fail(errors, PE_CONFLICT, "padding_mask",
                       "must have as many rows for each of the %lld frames; got %zu",
                       (long long)frames, mask->rows);
    for (size_t i = 0; i < cells; i++) {
        if (mask->values[i] != 0 && mask->values[i] != 1)
            return pe_fail(errors, PE_BAD_VALUE, "padding_mask",
                           "must be zeros and ones; got %g", mask->values[i]);
    }
    if (places->normalize && places->eps < 1e-12 && cells > 0 &&
        all_padding(places, frames, axes))
        pe_fail(errors, PE_OUT_OF_RANGE, "eps",
                "must be at least 1e-12 with a %s that is all padding: it divides",
                axes == AXES ? "row, column or pixel" : "row or column");
    return errors->count ? errors->at[0].status : PE_OK;
}

/* ---- points ------------------------------------------------------------------------------ */

struct counts {
    const struct detr_places *places;
    size_t first; /* first axis: 0 with frames, else 1 */
    size_t sides[AXES], strides[AXES];
    uint32_t *count[AXES]; /* places of every pixel; NULL without a mask */
};

static void take_place(const struct detr_places *places, double count, double last,
                       double *numbers)
{
    struct dd place = {count, 0};

    if (places->normalize)
        place = elementary_divide(elementary_sum(count, places->offset),
                                  elementary_sum(last, places->eps));
    numbers[0] = place.hi;
    numbers[1] = place.lo;
}

static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct counts *c = context;

    for (size_t a = c->first; a < AXES; a++) {
        const size_t here = row / c->strides[a] % c->sides[a], end = c->sides[a] - 1;
        double count = (double)(here + 1), last = (double)c->sides[a];

        if (c->count[a]) {
            count = c->count[a][row];
            last = c->count[a][row + (end - here) * c->strides[a]];
        }
        take_place(c->places, count, last, numbers + DETR_PLACES_HALVES * (a - c->first));
    }
}

static bool count_along(struct pe_build *build, struct counts *c, size_t axis)
{
    const struct pe_reals *mask = &c->places->padding_mask;
    const size_t cells = mask->rows * mask->cols, stride = c->strides[axis];
    uint32_t *count = pe_build_alloc(build, cells * sizeof *count);

    for (size_t i = 0; count && i < cells; i++)
        count[i] =
            (mask->values[i] == 0) + (i / stride % c->sides[axis] > 0 ? count[i - stride] : 0);
    c->count[axis] = count;
    return count != NULL;
}

bool detr_places_points(struct pe_build *build, const struct detr_places *places,
                        int64_t frames, size_t axes, struct axes_points *points)
{
    struct counts *c = pe_build_alloc(build, sizeof *c);
    bool right = c != NULL;

    *points = axes_points_none(DETR_PLACES_HALVES * axes);
    if (!right)
        return false;
    *c = (struct counts){.places = places, .first = AXES - axes};
    take_axes(places, frames, c->sides, c->strides);
    for (size_t a = c->first; right && places->padding_mask.rows > 0 && a < AXES; a++)
        right = count_along(build, c, a);
    points->rows = (uint64_t)c->sides[0] * c->sides[1] * c->sides[2];
    points->compute = compute;
    points->context = c;
    return right;
}

bool detr_places_frequencies(struct pe_build *build, const struct detr_ladder *const ladders[],
                             size_t axes, struct spatial_columns *layout)
{
    const size_t numbers = DETR_PLACES_HALVES * axes;
    size_t first = 0, count;

    layout->pairs = 0;
    for (size_t axis = 0; axis < axes; axis++)
        layout->pairs += detr_ladder_pairs(ladders[axis]);
    count = numbers * layout->pairs;
    layout->freq = pe_build_alloc(build, count * sizeof *layout->freq);
    layout->sign = pe_build_alloc(build, count);
    if (!layout->freq || !layout->sign)
        return false;
    memset(layout->sign, 1, count);
    for (size_t number = 0; number < numbers; number++) {
        const size_t axis = number / DETR_PLACES_HALVES;

        layout->ladders[number] = detr_ladder_of(
            ladders[axis], number, number * layout->pairs + first, axis == axes - 1);
        if (number % DETR_PLACES_HALVES == DETR_PLACES_HALVES - 1)
            first += detr_ladder_pairs(ladders[axis]);
    }
    return axes_ladder_build(layout->freq, layout->ladders, numbers, NULL) ||
           pe_build_no_memory(build);
}
