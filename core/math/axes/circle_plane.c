/* SPDX-License-Identifier: Apache-2.0
 * circle_plane.c - angles of patches, the circle, and its plane across (1, 1, 1), by MPFR. */
#include "core/math/axes/circle_plane.h"

#include <math.h>
#include <mpfr.h>
#include <string.h>

#include "core/math/number/elementary.h"
#include "core/math/number/mpfr_memory.h"

enum { PRECISION = 256, NUMBERS = 9 };

/* Numbers of one image: those that all patches share, then those of the patch at hand. */
struct numbers {
    mpfr_t pi, radius, least, range, x, y, angle, work, third;
};

static void list_all(struct numbers *n, mpfr_ptr list[NUMBERS])
{
    mpfr_ptr all[NUMBERS] = {n->pi, n->radius, n->least, n->range, n->x,
                             n->y,  n->angle,  n->work,  n->third};

    memcpy(list, all, sizeof all);
}

static double place(uint64_t at, uint64_t count, bool to_origin)
{
    return (double)at - (to_origin ? (double)(count - 1) / 2 : 0);
}

static double row_at(const struct circle_plane *plane, uint64_t patch)
{
    return place(patch / plane->cols, plane->rows, plane->to_origin);
}

static double col_at(const struct circle_plane *plane, uint64_t patch)
{
    return place(patch % plane->cols, plane->cols, plane->to_origin);
}

/* ---- angles ------------------------------------------------------------------------------ */

static void own_angle(struct numbers *n, const struct circle_plane *plane, uint64_t patch)
{
    mpfr_set_d(n->y, row_at(plane, patch), MPFR_RNDN);
    mpfr_set_d(n->x, col_at(plane, patch), MPFR_RNDN);
    mpfr_atan2(n->angle, n->y, n->x, MPFR_RNDN);
}

/* Finds the smallest angle of a patch and how far the largest is from it. Returns false when
 * stopped. */
static bool find_range(struct pe_build *build, struct numbers *n,
                       const struct circle_plane *plane)
{
    for (uint64_t patch = 0; patch < plane->rows * plane->cols; patch++) {
        if (pe_build_stopped(build))
            return false;
        own_angle(n, plane, patch);
        if (patch == 0 || mpfr_less_p(n->angle, n->least))
            mpfr_set(n->least, n->angle, MPFR_RNDN);
        if (patch == 0 || mpfr_greater_p(n->angle, n->range))
            mpfr_set(n->range, n->angle, MPFR_RNDN);
    }
    mpfr_sub(n->range, n->range, n->least, MPFR_RNDN);
    return true;
}

/* Sets angle to alpha times the patch's own angle, stretched to a turn, and 1 - alpha times
 * the turn's part that its number is. */
static void find_angle(struct numbers *n, const struct circle_plane *plane, uint64_t patch)
{
    own_angle(n, plane, patch);
    if (mpfr_sgn(n->range) > 0) {
        mpfr_sub(n->angle, n->angle, n->least, MPFR_RNDN);
        mpfr_div(n->angle, n->angle, n->range, MPFR_RNDN);
        mpfr_mul(n->angle, n->angle, n->pi, MPFR_RNDN);
        mpfr_mul_2ui(n->angle, n->angle, 1, MPFR_RNDN);
    }
    mpfr_mul_d(n->angle, n->angle, plane->alpha, MPFR_RNDN);
    mpfr_set_ui(n->work, patch, MPFR_RNDN);
    mpfr_div_ui(n->work, n->work, plane->rows * plane->cols, MPFR_RNDN);
    mpfr_mul(n->work, n->work, n->pi, MPFR_RNDN);
    mpfr_mul_2ui(n->work, n->work, 1, MPFR_RNDN);
    mpfr_mul_d(n->third, n->work, plane->alpha, MPFR_RNDN);
    mpfr_sub(n->work, n->work, n->third, MPFR_RNDN);
    mpfr_add(n->angle, n->angle, n->work, MPFR_RNDN);
}

/* ---- the plane --------------------------------------------------------------------------- */

/* Returns a number of MPFR to twice the precision of a double; what is left of a sum that is 0
 * is far below 2^-180 of the radius. */
static struct dd taken(struct numbers *n, mpfr_ptr value)
{
    struct dd out;

    if (mpfr_zero_p(value) ||
        (!mpfr_zero_p(n->radius) && mpfr_get_exp(value) < mpfr_get_exp(n->radius) - 180))
        return (struct dd){0, 0};
    out.hi = mpfr_get_d(value, MPFR_RNDN);
    mpfr_sub_d(value, value, out.hi, MPFR_RNDN);
    out.lo = mpfr_get_d(value, MPFR_RNDN);
    return out;
}

/* Adds `flat` of the patch's own coordinate to 1 - flat of the one on the circle. */
static void flatten(struct numbers *n, mpfr_ptr value, double flat, double own)
{
    mpfr_mul_d(n->third, value, flat, MPFR_RNDN);
    mpfr_sub(value, value, n->third, MPFR_RNDN);
    mpfr_set_d(n->third, own, MPFR_RNDN);
    mpfr_mul_d(n->third, n->third, flat, MPFR_RNDN);
    mpfr_add(value, value, n->third, MPFR_RNDN);
}

/* Writes x u + y v, where u = (-1, 1, 0) / sqrt 2 and v = (-1, -1, 2) / sqrt 6 are width,
 * height and time. */
static void put(struct numbers *n, struct dd *ids, uint64_t stride)
{
    mpfr_sqrt_ui(n->work, 2, MPFR_RNDN);
    mpfr_div(n->x, n->x, n->work, MPFR_RNDN);
    mpfr_sqrt_ui(n->work, 6, MPFR_RNDN);
    mpfr_div(n->y, n->y, n->work, MPFR_RNDN);
    mpfr_sub(n->work, n->x, n->y, MPFR_RNDN);
    ids[stride] = taken(n, n->work);
    mpfr_add(n->work, n->x, n->y, MPFR_RNDN);
    mpfr_neg(n->work, n->work, MPFR_RNDN);
    ids[2 * stride] = taken(n, n->work);
    mpfr_mul_2ui(n->y, n->y, 1, MPFR_RNDN);
    ids[0] = taken(n, n->y);
}

static bool put_all(struct pe_build *build, struct numbers *n, const struct circle_plane *plane,
                    struct dd *ids, uint64_t stride)
{
    const double largest = fmax(
        fmax(col_at(plane, plane->cols - 1), row_at(plane, (plane->rows - 1) * plane->cols)),
        0);

    mpfr_const_pi(n->pi, MPFR_RNDN);
    mpfr_set_d(n->radius, isnan(plane->radius) ? largest : plane->radius, MPFR_RNDN);
    if (isnan(plane->radius))
        mpfr_mul_d(n->radius, n->radius, plane->scale, MPFR_RNDN);
    if (!find_range(build, n, plane))
        return false;
    for (uint64_t patch = 0; patch < plane->rows * plane->cols; patch++) {
        if (pe_build_stopped(build))
            return false;
        find_angle(n, plane, patch);
        mpfr_sin_cos(n->y, n->x, n->angle, MPFR_RNDN);
        mpfr_mul(n->x, n->x, n->radius, MPFR_RNDN);
        mpfr_mul(n->y, n->y, n->radius, MPFR_RNDN);
        flatten(n, n->x, plane->flat, col_at(plane, patch));
        flatten(n, n->y, plane->flat, row_at(plane, patch));
        put(n, ids + patch, stride);
    }
    return true;
}

/* ---- all patches ------------------------------------------------------------------------- */

static bool is_below(struct dd a, struct dd b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

/* Adds the size of the smallest coordinate, and the offset, to all. Sets *high. */
static void raise(const struct circle_plane *plane, struct dd *ids, uint64_t stride,
                  struct dd *high)
{
    const uint64_t patches = plane->rows * plane->cols;
    struct dd low = ids[0], by = {0, 0};

    *high = ids[0];
    for (uint64_t i = 0; i < 3 * patches; i++) {
        const struct dd id = ids[i / patches * stride + i % patches];

        low = is_below(id, low) ? id : low;
        *high = is_below(*high, id) ? id : *high;
    }
    if (!plane->to_positive)
        return;
    by = low.hi < 0 ? (struct dd){-low.hi, -low.lo} : low;
    by = elementary_add(by, (struct dd){plane->offset, 0});
    *high = elementary_add(*high, by);
    for (uint64_t i = 0; i < 3 * patches; i++) {
        struct dd *id = &ids[i / patches * stride + i % patches];

        *id = elementary_add(*id, by);
    }
}

bool circle_plane_fill(struct pe_build *build, const struct circle_plane *plane, struct dd *ids,
                       uint64_t stride, struct dd *high)
{
    struct numbers numbers;
    mpfr_ptr list[NUMBERS];
    bool done;

    if (!mpfr_memory_available())
        return pe_build_no_memory(build);
    list_all(&numbers, list);
    for (size_t i = 0; i < NUMBERS; i++)
        mpfr_init2(list[i], PRECISION);
    done = put_all(build, &numbers, plane, ids, stride);
    for (size_t i = 0; i < NUMBERS; i++)
        mpfr_clear(list[i]);
    mpfr_memory_drop_constants();
    if (done)
        raise(plane, ids, stride, high);
    return done;
}
