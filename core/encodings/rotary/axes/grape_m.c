/* SPDX-License-Identifier: Apache-2.0
 * grape_m.c - a rotation in the plane of two learned vectors, whatever the width:
 *
 *     L = a b^T - b a^T    s^2 = |a|^2 |b|^2 - (a . b)^2    t = position omega s
 *     exp(position omega L) = I + (sin t / s) L + ((1 - cos t) / s^2) L^2
 *
 * Zhang et al. 2025, GRAPE (Group Representational Position Encoding), section 2;
 * model-architectures/GRAPE README.md. RoPE is a product of such rotations whose planes are
 * pairs of columns. */
#include <math.h>

#include "core/encodings/rotary/axes/lie.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/math/linear/dot.h"
#include "core/math/trig/frequency.h"

struct grape_m {
    struct lie lie;
    struct pe_reals a, b, omega;
};

#define VECTOR(FIELD, SUMMARY)                                                                 \
    {                                                                                          \
        PE_FIELD(struct grape_m, FIELD), .type = PE_REALS, .matrix = true, .required = true,   \
                                         .min = -1e6, .max = 1e6, .summary = SUMMARY           \
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
#define BOUND                                                                                  \
    "0.501 ULP, where terms cancel 2^-50 of their size; f64 2^-50 of the size of the terms"

static const struct pe_output outputs[] = {
    [LIE_MATRIX] = {PE_OUTPUT("matrix", PE_F32, "pos", "heads", "block", "row", "column"),
                    .label = "Matrices",
                    .summary = "rotation matrices of each position and head: y = matrix x",
                    .one_of = SPATIAL_SOURCE_ONE, .by_default = true,
                    .uses = PE_WORDS("dim", NAMES), .bound = BOUND}};
static const struct pe_output apply_outputs[] = {
    VECTORS_OUTPUT_ROWS("rotated", BOUND, LIE_APPLY_NAMES, NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

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
    if (errors->count == 0)
        spatial_source_check(&g->lie.source, 1, errors);
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

/* The plane of a head: products of a and b, 1 / s, and omega s and its half as frequencies. */
struct plane {
    const double *a, *b;
    struct dd aa, ab, bb, over;
    struct phase_freq whole, half;
    double sign; /* of omega; 0 where a and b are parallel, so that nothing turns */
};

struct planes {
    size_t width;
    struct plane *heads;
};

/* Returns s^2 as the sum of (a_i b_j - a_j b_i)^2 (Lagrange), where nothing cancels but inside
 * of a term. */
static struct dd square_of(const double *a, const double *b, size_t n)
{
    struct dd sum = {0, 0};

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            const struct dd back = elementary_product_any(-a[j], b[i]),
                            term = elementary_add(elementary_product_any(a[i], b[j]), back);

            sum = elementary_add(sum, elementary_multiply(term, term));
        }
    return sum;
}

/* Returns false when out of memory. */
static bool take_plane(struct plane *plane, const struct grape_m *g, size_t head)
{
    const size_t n = g->a.cols;
    const double *a = g->a.values + head * n, *b = g->b.values + head * n;
    const struct dd zero = {0, 0}, one = {1, 0}, square = square_of(a, b, n);
    const double omega =
        g->omega.cols == 0 ? 1 : g->omega.values[g->omega.cols == 1 ? 0 : head];

    *plane = (struct plane){.a = a,
                            .b = b,
                            .aa = dot_add(zero, a, a, n),
                            .ab = dot_add(zero, a, b, n),
                            .bb = dot_add(zero, b, b, n)};
    if (square.hi < 0x1p-400 || omega == 0)
        return true;
    plane->sign = omega < 0 ? -1 : 1;
    plane->over = elementary_divide(one, elementary_sqrt(square));
    return frequency_of(&plane->whole, &plane->half, elementary_sqrt(square), fabs(omega));
}

static const void *context_of(struct pe_build *build, const void *values)
{
    const struct grape_m *g = values;
    struct planes *planes = pe_build_alloc(build, sizeof *planes);
    struct plane *heads = pe_build_alloc(build, g->a.rows * sizeof *heads);

    if (!planes || !heads)
        return NULL;
    for (size_t head = 0; head < g->a.rows; head++) {
        if (pe_build_stopped(build))
            return NULL;
        if (!take_plane(&heads[head], g, head)) {
            pe_build_no_memory(build);
            return NULL;
        }
    }
    *planes = (struct planes){g->a.cols, heads};
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

static struct dd scaled(struct dd a, double by)
{
    return elementary_multiply(a, (struct dd){by, 0});
}

/* Factors of L and L^2: sin t / s and (1 - cos t) / s^2 = 2 (sin (t/2) / s)^2. */
struct factors {
    struct dd first, second;
};

static struct factors factors_of(const struct plane *plane, double at, bool inverse)
{
    double sine, half, cosine;
    struct dd root;

    if (plane->sign == 0)
        return (struct factors){{0, 0}, {0, 0}};
    phase_sincos_at(&plane->whole, at, &sine, &cosine);
    phase_sincos_at(&plane->half, at, &half, &cosine);
    root = scaled(plane->over, half);
    return (struct factors){
        scaled(plane->over, inverse ? -plane->sign * sine : plane->sign * sine),
        scaled(elementary_multiply(root, root), 2)};
}

/* Element of L = a b^T - b a^T. */
static struct dd generator_at(const struct plane *p, size_t i, size_t j)
{
    return elementary_add(elementary_product_any(p->a[i], p->b[j]),
                          elementary_product_any(-p->b[i], p->a[j]));
}

/* Element of L^2 = (a . b)(a b^T + b a^T) - |b|^2 a a^T - |a|^2 b b^T. */
static struct dd square_at(const struct plane *p, size_t i, size_t j)
{
    const struct dd mixed = elementary_add(elementary_product_any(p->a[i], p->b[j]),
                                           elementary_product_any(p->b[i], p->a[j]));
    const struct dd ends =
        elementary_add(elementary_multiply(p->bb, elementary_product_any(-p->a[i], p->a[j])),
                       elementary_multiply(p->aa, elementary_product_any(-p->b[i], p->b[j])));

    return elementary_add(elementary_multiply(p->ab, mixed), ends);
}

static void turn(const void *context, const struct dd *at, size_t head, size_t block,
                 double *out, double *scratch)
{
    const struct planes *planes = context;
    const struct plane *plane = &planes->heads[head];
    const struct factors by = factors_of(plane, at[0].hi, false);

    for (size_t i = 0; i < planes->width; i++)
        for (size_t j = 0; j < planes->width; j++) {
            struct dd sum = elementary_multiply(by.first, generator_at(plane, i, j));

            sum = elementary_add(sum, elementary_multiply(by.second, square_at(plane, i, j)));
            sum = elementary_add(sum, (struct dd){i == j, 0});
            out[i * planes->width + j] = sum.hi + sum.lo;
        }
}

/* Adds P a - Q b to the vector x, where P = first (b . x) + second ((a . b)(b . x) - |b|^2 (a .
 * x)), and Q = first (a . x) + second (|a|^2 (b . x) - (a . b)(a . x)): L x and L^2 x. */
static void spin(const void *context, const struct dd *at, size_t head, bool inverse,
                 const double *vector, double *out)
{
    const struct planes *planes = context;
    const struct plane *plane = &planes->heads[head];
    const struct factors by = factors_of(plane, at[0].hi, inverse);
    const struct dd zero = {0, 0}, ax = dot_add(zero, plane->a, vector, planes->width),
                    bx = dot_add(zero, plane->b, vector, planes->width),
                    less = {-ax.hi, -ax.lo};
    const struct dd p = elementary_add(elementary_multiply(plane->ab, bx),
                                       elementary_multiply(plane->bb, less));
    const struct dd q = elementary_add(elementary_multiply(plane->aa, bx),
                                       elementary_multiply(plane->ab, less));
    const struct dd along =
        elementary_add(elementary_multiply(by.first, bx), elementary_multiply(by.second, p));
    const struct dd back =
        elementary_add(elementary_multiply(by.first, ax), elementary_multiply(by.second, q));

    for (size_t i = 0; i < planes->width; i++) {
        const struct dd moved =
            elementary_add(scaled(along, plane->a[i]), scaled(back, -plane->b[i]));

        out[i] = plane->sign == 0 ? vector[i] : moved.hi + (moved.lo + vector[i]);
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
