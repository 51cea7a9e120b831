/* SPDX-License-Identifier: Apache-2.0
 * grape_m.c - a rotation in the plane of two learned vectors, whatever the width:
 *
 *     L = a b^T - b a^T    s^2 = |a|^2 |b|^2 - (a . b)^2    t = position omega s
 *     exp(position omega L) = I + (sin t / s) L + ((1 - cos t) / s^2) L^2
 *
 * It is computed from two unit vectors u and v of the plane, u along a and v across it: L / s =
 * u v^T - v u^T, and L^2 / s^2 = -u u^T - v v^T, where nothing cancels however near b is to a.
 * Zhang et al. 2025, GRAPE (Group Representational Position Encoding), section 2;
 * model-architectures/GRAPE README.md. RoPE is a product of such rotations whose planes are
 * pairs of columns. */
#include <math.h>
#include <string.h>

#include "core/encodings/rotary/axes/lie.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/math/linear/dot.h"
#include "core/math/trig/frequency.h"

static const double angle_most = 0x1p40; /* radians */

struct grape_m {
    struct lie lie;
    struct pe_reals a, b, omega;
};

#define VECTOR(FIELD, SUMMARY)                                                                 \
    {                                                                                          \
        LIE_NUMBERS(struct grape_m, FIELD), .required = true, .summary = SUMMARY               \
    }

#define ROWS                                                                                   \
    VECTOR(a, "first vector of the plane, a row a head: 1,0,0,0;0,1,0,0"),                     \
        VECTOR(b, "second vector of the plane, a row a head"),                                 \
        {PE_FIELD(struct grape_m, omega),                                                      \
         .type = PE_REALS,                                                                     \
         .min = -1e9,                                                                          \
         .max = 1e9,                                                                           \
         PE_OWN("model-architectures/GRAPE", FREQUENCIES, BASIC),                              \
         .summary = "factor of the positions, one number or one a head; 1 by default"},        \
        SPATIAL_SOURCE_ROWS(struct grape_m, lie.source)

static const struct pe_param params[] = {ROWS, LIE_ROW_DIM(struct grape_m, lie)};
static const struct pe_param apply_params[] = {ROWS, LIE_APPLY_ROWS(struct grape_m, lie)};

#define NAMES "a", "b", "omega", SPATIAL_SOURCE_NAMES
#define BOUND "0.501 ULP; f64 1 ULP; both and "

static const struct pe_output outputs[] = {
    LIE_OUTPUT_ROW("rotation matrices of each position and head: y = matrix x",
                   BOUND "absolute 2^-50", NAMES)};
static const struct pe_output apply_outputs[] = {VECTORS_OUTPUT_ROWS(
    "rotated", BOUND "2^-50 of the vector's length", LIE_APPLY_NAMES, NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

/* Returns s of a head as the product of the lengths of a and of b's part across it, right to
 * 2^-98 of |a| |b|. */
static double size_of(const struct grape_m *g, size_t head)
{
    const size_t n = g->a.cols;
    const double *a = g->a.values + head * n, *b = g->b.values + head * n;
    const struct dd zero = {0, 0}, aa = dot_add(zero, a, a, n);
    double across = 0;
    struct dd share;

    if (aa.hi < 0x1p-900)
        return 0;
    share = elementary_divide(dot_add(zero, a, b, n), (struct dd){-aa.hi, -aa.lo});
    for (size_t i = 0; i < n; i++) {
        const struct dd part = elementary_add(elementary_multiply(share, (struct dd){a[i], 0}),
                                              (struct dd){b[i], 0});

        across += part.hi * part.hi;
    }
    return sqrt(aa.hi) * sqrt(across);
}

static double omega_of(const struct grape_m *g, size_t head)
{
    return g->omega.cols == 0 ? 1 : g->omega.values[g->omega.cols == 1 ? 0 : head];
}

static void check_angles(const struct grape_m *g, struct pe_errors *errors)
{
    const char *name;
    const double far = spatial_source_largest(&g->lie.source, 1, &name);
    double most = 0;

    for (size_t head = 0; head < g->a.rows; head++)
        most = fmax(most, far * fabs(omega_of(g, head)) * size_of(g, head));
    if (most > angle_most)
        pe_fail(errors, PE_OUT_OF_RANGE, name,
                "must make angles, omega s times the coordinates, within 2^40 radians, so that "
                "they keep their digits; got up to %.3g",
                most);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct grape_m *g = values;

    if (g->a.cols != (size_t)g->lie.dim)
        pe_fail(errors, PE_CONFLICT, "a", "must have rows of dim, %lld, numbers; got %zu",
                (long long)g->lie.dim, g->a.cols);
    if (g->b.rows != g->a.rows || g->b.cols != g->a.cols)
        pe_fail(errors, PE_CONFLICT, "b", "must have the shape of a, %zux%zu; got %zux%zu",
                g->a.rows, g->a.cols, g->b.rows, g->b.cols);
    if (g->omega.cols > 1 && g->omega.cols != g->a.rows)
        pe_fail(errors, PE_CONFLICT, "omega",
                "must have one number or one a head, %zu; got %zu", g->a.rows, g->omega.cols);
    if (errors->count == 0 && spatial_source_check(&g->lie.source, 1, errors) == PE_OK)
        check_angles(g, errors);
}

static struct lie_layout layout_of(const struct pe_args *args, const void *values)
{
    const struct grape_m *g = values;

    return (struct lie_layout){.points = spatial_source_points(&g->lie.source, 1),
                               .heads = g->a.rows,
                               .blocks = 1,
                               .block = g->a.cols};
}

/* ---- planes ------------------------------------------------------------------------------ */

static struct dd scaled(struct dd a, double by)
{
    return elementary_multiply(a, (struct dd){by, 0});
}

/* The plane of a head: its unit vectors u and v, each as the sum of two lists of doubles, and
 * omega s and its half as frequencies. */
struct plane {
    double *u, *u_rest, *v, *v_rest;
    struct phase_freq whole, half;
    double sign; /* of omega; 0 where a and b are parallel, so that nothing turns */
};

struct planes {
    size_t width;
    struct plane *heads;
};

/* Element of L, where nothing cancels but inside of it: both products are exact. */
static struct dd generator_at(const double *a, const double *b, size_t i, size_t j)
{
    return elementary_add(elementary_product_any(a[i], b[j]),
                          elementary_product_any(-b[i], a[j]));
}

/* Adds `term` to the double-double whose halves are *hi and *lo. */
static void accumulate(double *hi, double *lo, struct dd term)
{
    const struct dd sum = elementary_add((struct dd){*hi, *lo}, term);

    *hi = sum.hi;
    *lo = sum.lo;
}

/* Adds a^T L, which is |a|^2 times b's part across a, to v and v_rest, and takes s^2 as the sum
 * of L_ij^2 for i < j (Lagrange). Returns false when stopped. */
static bool add_across(struct pe_build *build, const double *a, const double *b, size_t n,
                       struct plane *plane, struct dd *square)
{
    *square = (struct dd){0, 0};
    for (size_t i = 0; i < n; i++) {
        if (pe_build_stopped(build))
            return false;
        for (size_t j = i + 1; j < n; j++) {
            const struct dd term = generator_at(a, b, i, j);

            *square = elementary_add(*square, elementary_multiply(term, term));
            accumulate(&plane->v[j], &plane->v_rest[j], scaled(term, a[i]));
            accumulate(&plane->v[i], &plane->v_rest[i], scaled(term, -a[j]));
        }
    }
    return true;
}

/* Divides the numbers of a vector by `by`. */
static void divide_all(double *hi, double *lo, size_t n, struct dd by)
{
    for (size_t i = 0; i < n; i++) {
        const struct dd part = elementary_divide((struct dd){hi[i], lo[i]}, by);

        hi[i] = part.hi;
        lo[i] = part.lo;
    }
}

enum { LISTS = 4 }; /* of a plane: u, u_rest, v and v_rest */

/* Takes the plane of a head, whose lists begin at `lists`; returns false when stopped or out of
 * memory. */
static bool take_plane(struct pe_build *build, struct plane *plane, const struct grape_m *g,
                       size_t head, double *lists)
{
    const size_t n = g->a.cols;
    const double *a = g->a.values + head * n, *b = g->b.values + head * n;
    const double omega = omega_of(g, head);
    struct dd square, size, length;

    plane->u = lists;
    plane->u_rest = lists + n;
    plane->v = lists + 2 * n;
    plane->v_rest = lists + 3 * n;
    if (omega == 0)
        return true; /* u and v are zeros: the identity */
    if (!add_across(build, a, b, n, plane, &square))
        return false;
    if (square.hi < 0x1p-400)
        return true;
    plane->sign = omega < 0 ? -1 : 1;
    size = elementary_sqrt(square);
    length = elementary_sqrt(dot_add((struct dd){0, 0}, a, a, n));
    memcpy(plane->u, a, n * sizeof *a);
    divide_all(plane->u, plane->u_rest, n, length);
    divide_all(plane->v, plane->v_rest, n, elementary_multiply(length, size));
    if (!frequency_of(&plane->whole, &plane->half, size, fabs(omega)))
        return pe_build_no_memory(build);
    return true;
}

static const void *context_of(struct pe_build *build, const void *values)
{
    const struct grape_m *g = values;
    const size_t heads = g->a.rows, numbers = LISTS * g->a.cols; /* of a head */
    const size_t bytes = heads * (sizeof(struct plane) + numbers * sizeof(double));
    struct planes *planes = pe_build_alloc(build, sizeof *planes);
    struct plane *list = pe_build_claim(build, bytes) ? pe_build_alloc(build, bytes) : NULL;
    double *lists;

    if (!planes || !list)
        return NULL;
    lists = (double *)(void *)(list + heads);
    for (size_t head = 0; head < heads; head++)
        if (!take_plane(build, &list[head], g, head, lists + head * numbers))
            return NULL;
    *planes = (struct planes){g->a.cols, list};
    return planes;
}

static double plan_ns(const struct pe_args *args, const void *values,
                      const struct lie_layout *layout)
{
    const double width = (double)layout->block, heads = (double)layout->heads;
    const bool turned = pe_args_encoding(args)->kind == PE_INPUT;

    return heads * (20 * width * width + 20000) +
           (turned ? 0 : 60 * (double)layout->points.rows * heads * width * width);
}

/* ---- rotations --------------------------------------------------------------------------- */

/* Factors of L / s and L^2 / s^2: sin t, and 1 - cos t = 2 sin^2 (t/2). */
struct factors {
    double first;
    struct dd second;
};

static struct factors factors_of(const struct plane *plane, double at, bool inverse)
{
    double sine, half, cosine;

    phase_sincos_at(&plane->whole, at, &sine, &cosine);
    phase_sincos_at(&plane->half, at, &half, &cosine);
    return (struct factors){inverse ? -plane->sign * sine : plane->sign * sine,
                            elementary_product_any(2 * half, half)};
}

static struct dd u_at(const struct plane *plane, size_t i)
{
    return (struct dd){plane->u[i], plane->u_rest[i]};
}

static struct dd v_at(const struct plane *plane, size_t i)
{
    return (struct dd){plane->v[i], plane->v_rest[i]};
}

static struct dd negative(struct dd a)
{
    return (struct dd){-a.hi, -a.lo};
}

/* Returns a b + c d. */
static struct dd products(struct dd a, struct dd b, struct dd c, struct dd d)
{
    return elementary_add(elementary_multiply(a, b), elementary_multiply(c, d));
}

static void turn(const void *context, const struct dd *at, size_t head, size_t block,
                 double *out, double *scratch)
{
    const struct planes *planes = context;
    const struct plane *plane = &planes->heads[head];
    const struct factors by =
        plane->sign == 0 ? (struct factors){0, {0, 0}} : factors_of(plane, at[0].hi, false);

    for (size_t i = 0; i < planes->width; i++)
        for (size_t j = 0; j < planes->width; j++) {
            const struct dd ui = u_at(plane, i), uj = u_at(plane, j), vi = v_at(plane, i),
                            vj = v_at(plane, j);
            struct dd sum = scaled(products(ui, vj, negative(vi), uj), by.first);

            sum = elementary_add(
                sum, elementary_multiply(negative(by.second), products(ui, uj, vi, vj)));
            sum = elementary_add(sum, (struct dd){i == j, 0});
            out[i * planes->width + j] = sum.hi + sum.lo;
        }
}

/* Returns the inner product of x and a vector that is the sum of two lists. Of an infinite x
 * the first list decides. */
static struct dd along(const double *vector, const double *rest, const double *x, size_t n)
{
    const struct dd zero = {0, 0}, low = dot_add(zero, rest, x, n);

    return dot_add(isfinite(low.hi) ? low : zero, vector, x, n);
}

/* Adds p u - q v to the vector x, where p = first (v . x) - second (u . x), and q = first (u .
 * x) + second (v . x): the parts of L x and L^2 x. */
static void spin(const void *context, const struct dd *at, size_t head, bool inverse,
                 const double *vector, double *out)
{
    const struct planes *planes = context;
    const struct plane *plane = &planes->heads[head];
    const size_t n = planes->width;
    struct factors by;
    struct dd ux, vx, p, q;

    if (plane->sign == 0) {
        memcpy(out, vector, n * sizeof *out);
        return;
    }
    by = factors_of(plane, at[0].hi, inverse);
    ux = along(plane->u, plane->u_rest, vector, n);
    vx = along(plane->v, plane->v_rest, vector, n);
    p = products((struct dd){by.first, 0}, vx, negative(by.second), ux);
    q = negative(products((struct dd){by.first, 0}, ux, by.second, vx));
    for (size_t i = 0; i < n; i++) {
        const struct dd moved = products(p, u_at(plane, i), q, v_at(plane, i));

        out[i] = moved.hi + (moved.lo + vector[i]);
    }
}

static const struct lie_kind kind = {
    .layout = layout_of,
    .check = check,
    .context = context_of,
    .turn = turn,
    .plan_ns = plan_ns,
    .spin = spin,
    .part = offsetof(struct grape_m, lie),
};

const struct pe_encoding pe_encoding_grape_m = {
    .name = "grape-m",
    .title = "GRAPE-M: rotation in a learned plane",
    .formula = "L = a b^T - b a^T, s^2 = |a|^2 |b|^2 - (a . b)^2, t = position omega s\n"
               "matrix = I + (sin t / s) L + ((1 - cos t) / s^2) L^2 = exp(position omega L)",
    .when_to_use =
        "Multiplicative GRAPE: one plane a head, in any direction. Planes that are pairs of "
        "columns with learned frequencies are rope-nd; with angles that follow from the "
        "content, rope-angles. liere has whole generators.",
    .what_goes_wrong =
        "The angle of a position is omega s, not omega: it grows with the lengths of a and b. "
        "Rotations of different planes do not commute, so their product has no law of "
        "differences.",
    .picture = "pos=0:8&dim=4&a=1,0,.5,0&b=0,1,0,-.5&omega=.5",
    .summary = "rotation in the plane of two learned vectors (GRAPE-M)",
    .source = "Zhang et al. 2025, Group Representational Position Encoding; "
              "model-architectures/GRAPE README.md",
    .examples = PE_WORDS("pos=0:3&dim=2&a=1,0&b=0,1", "pos=5&dim=3&a=1,0,2&b=0,1,-1&omega=.25",
                         "pos=2&dim=2&a=1,0;0,2&b=0,1;1,1&omega=1,.5"),
    LIE_HOOKS(struct grape_m, params, outputs, kind),
};

const struct pe_encoding pe_encoding_grape_m_apply = {
    .name = "grape-m/apply",
    .title = "GRAPE-M: vectors turned in a learned plane",
    .picture = "a=1,0,.5,0,1,0,0,0&b=0,1,0,-.5,0,1,0,0&omega=.3&" VECTORS_PICTURE,
    .summary = "vectors rotated in the plane of two learned vectors (GRAPE-M)",
    .source = "Zhang et al. 2025, Group Representational Position Encoding; "
              "model-architectures/GRAPE README.md",
    .examples = PE_WORDS("pos=1&a=1,0&b=0,1&x=1,0", "pos=3&a=1,0,2&b=0,1,-1&x=1,2,3&inverse=1",
                         "pos=2,7&a=1,0,1&b=0,1,1&omega=-.5&x=1,0,0;0,1,0"),
    LIE_APPLY_HOOKS(struct grape_m, apply_params, apply_outputs, kind),
};
