/* SPDX-License-Identifier: Apache-2.0
 * lie.c - computes the matrices of every position while planning, within a limit of work, and
 * multiplies the client's vectors by them. */
#include "core/encodings/rotary/axes/lie.h"

#include <math.h>

#include "core/math/number/elementary.h"
#include "core/math/precomputed.h"
#include "core/math/tensor_row.h"

/* Limits of the multiplications of a product of every matrix, and of doubles kept for
 * vectors. */
static const uint64_t work_most = UINT64_C(1) << 28, kept_most = UINT64_C(1) << 22,
                      looked_at = UINT64_C(1) << 20; /* points whose angles are checked */

static const struct lie_kind *kind_of(const struct pe_args *args)
{
    return pe_args_encoding(args)->detail;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t element_count(const struct lie_layout *layout)
{
    return times(times(layout->points.rows, layout->heads * layout->blocks),
                 layout->block * layout->block);
}

/* ---- rules ------------------------------------------------------------------------------- */

static void check_work(const struct lie_layout *layout, bool kept, struct pe_errors *errors)
{
    const uint64_t elements = element_count(layout), work = times(elements, layout->block);
    const bool large = kept && elements > kept_most;

    if (work <= work_most && !large)
        return;
    pe_fail(errors, PE_TOO_LARGE, NULL,
            large
                ? "the matrices of all positions have %llu elements; at most %llu are kept to "
                  "rotate vectors: send fewer positions"
                : "positions times heads times blocks times the third power of a block's "
                  "width are %llu; at most %llu: ask for fewer positions",
            (unsigned long long)(large ? elements : work),
            (unsigned long long)(large ? kept_most : work_most));
    pe_note_limit(errors, large ? kept_most : work_most, large ? elements : work);
}

void lie_check_angles(const struct axes_points *points, double norm, const char *name,
                      struct pe_errors *errors)
{
    struct axes_place place;
    double most = 0;

    for (uint64_t row = 0; row < points->rows && points->rows <= looked_at; row++) {
        axes_points_at(points, row, &place);
        for (size_t a = 0; a < points->axes; a++)
            most = fmax(most, fabs(axes_points_scaled(points, a, place.number[a])));
    }
    if (2 * norm * most > 0x1p20)
        pe_fail(errors, PE_OUT_OF_RANGE, name,
                "times the coordinates must stay within 2^20 radians, so that angles "
                "keep their digits; got up to %.3g",
                2 * norm * most);
}

/* Of more points lie_check_angles has seen none. A kind with spin checks its angles itself. */
static void check_points(const struct lie_kind *kind, const struct lie_layout *layout,
                         struct pe_errors *errors)
{
    if (kind->spin || errors->count > 0 || layout->points.rows <= looked_at)
        return;
    pe_fail(errors, PE_TOO_LARGE, NULL,
            "the positions are %llu; at most %llu are looked at: ask for fewer",
            (unsigned long long)layout->points.rows, (unsigned long long)looked_at);
    pe_note_limit(errors, looked_at, layout->points.rows);
}

void lie_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct lie_kind *kind = kind_of(args);
    struct lie_layout layout;

    kind->check(args, values, errors);
    if (errors->count > 0)
        return;
    layout = kind->layout(args, values);
    check_work(&layout, false, errors);
    check_points(kind, &layout, errors);
}

void lie_apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct lie_kind *kind = kind_of(args);
    struct lie *lie = (void *)((char *)values + kind->part);
    struct lie_layout layout;

    if (vectors_resolve_dim(args, &lie->vectors, &lie->dim, errors))
        return;
    kind->check(args, values, errors);
    if (errors->count > 0)
        return;
    layout = kind->layout(args, values);
    if (vectors_resolve_axis(args, &lie->vectors, "pos", layout.points.rows, errors) ||
        vectors_resolve_heads(args, &lie->vectors, layout.heads, errors))
        return;
    if (!kind->spin)
        check_work(&layout, true, errors);
    check_points(kind, &layout, errors);
}

/* ---- sizes ------------------------------------------------------------------------------- */

size_t lie_shape(const struct pe_args *args, const void *values, size_t output,
                 uint64_t dims[PE_MAX_RANK])
{
    const struct lie_layout layout = kind_of(args)->layout(args, values);

    dims[0] = layout.points.rows;
    dims[1] = layout.heads;
    dims[2] = layout.blocks;
    dims[3] = dims[4] = layout.block;
    return 5;
}

/* A matrix takes some thirty products: the polynomial and the squarings. */
double lie_plan_ns(const struct pe_args *args, const void *values)
{
    const struct lie_kind *kind = kind_of(args);
    const struct lie_layout layout = kind->layout(args, values);

    if (kind->plan_ns)
        return kind->plan_ns(args, values, &layout);
    return 6.0 * (double)element_count(&layout) * (double)(layout.block + 8);
}

/* ---- matrices ---------------------------------------------------------------------------- */

/* Returns what a coordinate lacks where it was scaled in doubles. */
static double rest_of(const struct axes_points *points, size_t axis,
                      const struct axes_place *place, double rounded)
{
    const struct axes_scale *scale = &points->scale[axis];
    const struct dd number = {place->number[axis], place->rest[axis]};
    struct dd exact = elementary_multiply(number, (struct dd){scale->multiplier, 0});

    exact = elementary_divide(exact, (struct dd){scale->divisor, 0});
    exact = elementary_multiply(exact, (struct dd){scale->factor, 0});
    return elementary_add(exact, (struct dd){-rounded, 0}).hi;
}

/* Reads the scaled coordinates of a point. */
static void take_place(const struct lie_layout *layout, uint64_t row, struct dd *at)
{
    const struct axes_points *points = &layout->points;
    struct axes_place place;

    axes_points_at(points, row, &place);
    for (size_t a = 0; a < points->axes; a++) {
        at[a].hi = axes_points_scaled(points, a, place.number[a]);
        at[a].lo = at[a].hi == 0 ? 0 : rest_of(points, a, &place, at[a].hi);
        if (layout->led && row == 0)
            at[a] = (struct dd){layout->lead, 0};
    }
}

/* Computes [points][heads][blocks][block][block]; false when out of memory, or stopped. */
static bool compute(struct pe_build *build, const void *values, const struct lie_layout *layout,
                    double *out)
{
    const struct lie_kind *kind = kind_of(pe_build_args(build));
    const void *context = kind->context(build, values);
    const size_t size = layout->block * layout->block;
    double *scratch;

    if (!context || layout->points.rows == 0)
        return context != NULL;
    scratch = pe_build_alloc(build, LIE_SCRATCH * size * sizeof *scratch);
    if (!scratch)
        return false;
    for (uint64_t row = 0; row < layout->points.rows; row++) {
        struct dd at[AXES_MAX];

        take_place(layout, row, at);
        for (size_t i = 0; i < layout->heads * layout->blocks; i++, out += size) {
            if (pe_build_stopped(build))
                return false;
            kind->turn(context, at, i / layout->blocks, i % layout->blocks, out, scratch);
        }
    }
    return true;
}

void lie_prepare(struct pe_build *build, const void *values)
{
    const struct lie_layout layout =
        kind_of(pe_build_args(build))->layout(pe_build_args(build), values);
    double *out = precomputed_new(
        build, LIE_MATRIX,
        times(times(layout.points.rows, layout.heads * layout.blocks), layout.block),
        layout.block);

    if (!out || !compute(build, values, &layout, out))
        return;
}

/* ---- vectors ----------------------------------------------------------------------------- */

struct product {
    struct rotate lay; /* layout of vectors in their tensor; it does not rotate */
    struct pe_tensor tensor;
    struct lie_layout layout;
    const double *matrices; /* NULL with spin */
    lie_spin *spin;
    const void *context;
    bool inverse;
};

static double element(const struct product *p, uint64_t row, size_t at, const double *vector)
{
    const size_t width = p->layout.block, block = at / width, first = block * width;
    const double *matrix = p->matrices + (row * p->layout.blocks + block) * width * width;
    double sum = 0;

    if (block >= p->layout.blocks)
        return vector[at]; /* elements beyond the blocks are copied */
    for (size_t i = 0; i < width; i++)
        sum += matrix[p->inverse ? i * width + (at - first) : (at - first) * width + i] *
               vector[first + i];
    return sum;
}

/* Turns a vector without its matrix. */
static void spin(const struct product *p, uint64_t row, const double *vector, double *out)
{
    struct dd at[AXES_MAX];

    take_place(&p->layout, row / p->layout.heads, at);
    p->spin(p->context, at, (size_t)(row % p->layout.heads), p->inverse, vector, out);
}

static void fill(const void *state, const struct pe_rect *rect, double *const out[],
                 const void *const input[], void *scratch)
{
    const struct product *p = state;
    double *vector = scratch, *spun = vector + p->lay.span.dim;
    uint64_t same;

    for (uint64_t i = 0; out[0] && i < rect->rows; i++) {
        const uint64_t row = rotate_row(&p->lay, rect->row + i, &same);

        tensor_row(&p->tensor, input[p->lay.input], rect->row + i, 0, p->lay.span.dim, vector);
        if (p->spin)
            spin(p, row, vector, spun);
        for (uint64_t c = 0; c < rect->cols; c++)
            out[0][i * rect->cols + c] = p->spin
                                             ? spun[rect->col + c]
                                             : element(p, row, (size_t)(rect->col + c), vector);
    }
}

static size_t scratch_of(const void *state, uint64_t elements)
{
    return 2 * ((const struct product *)state)->lay.span.dim * sizeof(double);
}

/* A vector is read, and turned by spin, once for each block of its row. */
static double cost(const void *state, enum pe_dtype dtype)
{
    const struct product *p = state;
    const double blocks = ceil((double)p->lay.span.dim / PE_FILL_BLOCK);

    return p->spin ? 45 * blocks : 2 * blocks + (double)p->layout.block;
}

static const struct pe_filler filler = {
    .reference = fill, .scratch = scratch_of, .ns_per_element = 10, .cost = cost};

void lie_apply_prepare(struct pe_build *build, const void *values)
{
    const struct pe_args *args = pe_build_args(build);
    const struct lie_kind *kind = kind_of(args);
    const struct lie *lie = (const void *)((const char *)values + kind->part);
    const struct lie_layout layout = kind->layout(args, values);
    const void *context = kind->spin ? kind->context(build, values) : NULL;
    double *matrices = NULL;

    if (!kind->spin) {
        matrices = pe_build_alloc(build, (size_t)element_count(&layout) * sizeof *matrices);
        if (!matrices || !compute(build, values, &layout, matrices))
            return;
    } else if (!context) {
        return;
    }
    for (size_t i = 0; i < VECTORS_COUNT; i++) {
        struct product *p = pe_wants(args, i) ? pe_build_alloc(build, sizeof *p) : NULL;

        if (!pe_wants(args, i))
            continue;
        if (!p)
            return;
        *p = (struct product){.tensor = *vectors_tensor(&lie->vectors, i),
                              .layout = layout,
                              .matrices = matrices,
                              .spin = kind->spin,
                              .context = context,
                              .inverse = lie->vectors.inverse};
        p->lay.heads = layout.heads > 1 ? layout.heads : 0;
        vectors_lay(args, &lie->vectors, i, &p->lay);
        pe_build_fill(build, i, &filler, p);
    }
}
