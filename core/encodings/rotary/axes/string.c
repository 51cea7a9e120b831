/* SPDX-License-Identifier: Apache-2.0
 * string.c - rotations whose generators commute, so that scores depend on differences alone:
 *
 *     Cayley:     R = P RoPE P^T, P = (I - S)(I + S)^-1, S skew-symmetric; RoPE turns pair i
 *                 (2i, 2i + 1) by sum over axes a of F[a,i] pos_a
 *     circulant:  R = exp(sum over axes a of pos_a (C_a - C_a^T)), C_a circulant
 *
 * In scores the outer P cancels: outer=0 leaves it out. Schenck et al. 2025, Learning the
 * RoPEs: Better 2D and 3D Position Encodings with STRING (arXiv 2502.02562). */
#include <math.h>
#include <string.h>

#include "core/encodings/rotary/axes/lie.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_dense.h"
#include "core/math/linear/matrix.h"

struct string {
    struct lie lie;
    struct pe_reals skew, freqs, circulant;
    bool outer;
};

#define ROWS                                                                                   \
    {LIE_NUMBERS(struct string, skew), .required = true, .when = "!circulant",                 \
     PE_OWN("Schenck et al. 2025", WEIGHTS, BASIC),                                            \
     .summary =                                                                                \
         "learned skew-symmetric matrix S of Cayley's transform, dim rows of dim numbers"},    \
        {LIE_NUMBERS(struct string, freqs), .required = true, .when = "!circulant",            \
         .unit = "radians",                                                                    \
         .summary = "frequencies F in radians a unit: a row an axis, a column a pair"},        \
        {LIE_NUMBERS(struct string, circulant), PE_OWN("Schenck et al. 2025", WEIGHTS, BASIC), \
         .summary =                                                                            \
             "first row of each axis's circulant generator, dim numbers an axis; takes the "   \
             "place of skew and freqs"},                                                       \
        {PE_FIELD(struct string, outer),                                                       \
         .type = PE_BOOL,                                                                      \
         .preset = 1,                                                                          \
         .when = "!circulant",                                                                 \
         PE_OWN("posenc", CONVENTION, ADVANCED),                                               \
         .summary = "multiply by the outer P, which cancels in scores of queries and keys"},   \
        SPATIAL_SOURCE_ROWS(struct string, lie.source)

static const struct pe_param params[] = {ROWS, LIE_ROW_DIM(struct string, lie)};
static const struct pe_param apply_params[] = {ROWS, LIE_APPLY_ROWS(struct string, lie)};

#define NAMES "skew", "freqs", "circulant", "outer", SPATIAL_SOURCE_NAMES

static const struct pe_output outputs[] = {LIE_OUTPUT_ROW(LIE_BLOCKS, LIE_BOUND, NAMES)};
static const struct pe_output apply_outputs[] = {LIE_APPLY_OUTPUT_ROWS(NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t axes_of(const struct string *s)
{
    return s->circulant.rows > 0 ? s->circulant.rows : s->freqs.rows;
}

static struct lie_layout layout_of(const struct pe_args *args, const void *values)
{
    const struct string *s = values;

    return (struct lie_layout){.points = spatial_source_points(&s->lie.source, axes_of(s)),
                               .heads = 1,
                               .blocks = 1,
                               .block = (size_t)s->lie.dim};
}

static bool is_skew(const struct pe_reals *skew)
{
    bool is = true;

    for (size_t i = 0; is && i < skew->rows * skew->cols; i++)
        is = skew->values[i] == -skew->values[i % skew->cols * skew->cols + i / skew->cols];
    return is;
}

static void check_cayley(const struct string *s, struct pe_errors *errors)
{
    const size_t dim = (size_t)s->lie.dim;

    if (s->skew.rows != dim || s->skew.cols != dim || dim % 2 != 0)
        pe_fail(errors, PE_CONFLICT, "skew",
                "must be dim x dim, dim even; got %zu x %zu of %zu", s->skew.rows, s->skew.cols,
                dim);
    else if (!is_skew(&s->skew))
        pe_fail(errors, PE_CONFLICT, "skew",
                "must be skew-symmetric: each element minus the one across the diagonal");
    else if (s->freqs.cols != dim / 2)
        pe_fail(errors, PE_CONFLICT, "freqs", "must have dim/2 = %zu columns; got %zu", dim / 2,
                s->freqs.cols);
}

static void check_circulant(const struct string *s, struct pe_errors *errors)
{
    if (s->circulant.cols != (size_t)s->lie.dim)
        pe_fail(errors, PE_CONFLICT, "circulant", "must have dim = %lld columns; got %zu",
                (long long)s->lie.dim, s->circulant.cols);
}

static double norm_of(const struct pe_reals *circulant)
{
    double sum = 0;

    for (size_t i = 0; i < circulant->rows * circulant->cols; i++)
        sum += fabs(circulant->values[i]);
    return sum;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct string *s = values;
    struct lie_layout layout;

    if (s->lie.dim > LIE_BLOCK_MOST) {
        pe_fail(errors, PE_OUT_OF_RANGE, "dim", "must be at most %d; got %lld", LIE_BLOCK_MOST,
                (long long)s->lie.dim);
        return;
    }
    if (s->circulant.rows > 0)
        check_circulant(s, errors);
    else
        check_cayley(s, errors);
    if (errors->count == 0 && axes_of(s) > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, s->circulant.rows ? "circulant" : "freqs",
                "must have at most %d rows; got %zu", AXES_MAX, axes_of(s));
    if (errors->count > 0 || spatial_source_check(&s->lie.source, axes_of(s), errors))
        return;
    layout = layout_of(args, values);
    lie_check_angles(&layout.points, norm_of(&s->circulant), "circulant", errors);
}

/* ---- matrices ---------------------------------------------------------------------------- */

struct basis {
    const struct string *values;
    double *p, *transposed; /* Cayley: P and P^T */
    const struct axes *axes;
};

static void turn_circulant(const struct string *s, const struct dd *at, double *out,
                           double *scratch)
{
    const size_t n = (size_t)s->lie.dim;
    double *generator = scratch;

    for (size_t i = 0; i < n * n; i++) {
        const size_t ahead = (i % n + n - i / n) % n, behind = (n - ahead) % n;

        generator[i] = 0;
        for (size_t a = 0; a < s->circulant.rows; a++)
            generator[i] += at[a].hi * (s->circulant.values[a * n + ahead] -
                                        s->circulant.values[a * n + behind]);
    }
    matrix_exponential(generator, n, out, scratch + n * n);
}

static void turn(const void *context, const struct dd *at, size_t head, size_t block,
                 double *out, double *scratch)
{
    const struct basis *basis = context;
    const size_t n = (size_t)basis->values->lie.dim;
    double *turned = scratch, *cosine = scratch + n * n, *sine = cosine + n / 2;
    struct axes_place place = {0};

    if (!basis->p) {
        turn_circulant(basis->values, at, out, scratch);
        return;
    }
    for (size_t a = 0; a < axes_of(basis->values); a++)
        place.number[a] = at[a].hi;
    axes_waves(basis->axes, &place, 0, n / 2, cosine, sine);
    for (size_t i = 0; i < n / 2; i++) { /* RoPE P^T, two rows at a time */
        const double *first = basis->transposed + 2 * i * n, *second = first + n;

        for (size_t j = 0; j < n; j++) {
            turned[2 * i * n + j] = first[j] * cosine[i] - second[j] * sine[i];
            turned[(2 * i + 1) * n + j] = second[j] * cosine[i] + first[j] * sine[i];
        }
    }
    if (basis->values->outer)
        matrix_product(basis->p, turned, n, out);
    else
        memcpy(out, turned, n * n * sizeof *out);
}

static bool take_cayley(struct pe_build *build, const struct string *s, struct basis *basis)
{
    const size_t n = (size_t)s->lie.dim;
    double *scratch = pe_build_alloc(build, n * n * sizeof *scratch);
    struct spatial_layout layout = {.points = axes_points_none(s->freqs.rows), .pairs = n / 2};

    basis->p = pe_build_alloc(build, n * n * sizeof *basis->p);
    basis->transposed = pe_build_alloc(build, n * n * sizeof *basis->transposed);
    if (!scratch || !basis->p || !basis->transposed ||
        !spatial_dense_rotation(build, &layout, s->freqs.values))
        return false;
    basis->axes = spatial_axes(build, &layout);
    matrix_cayley(s->skew.values, n, basis->p, scratch); /* I + S has an inverse: S is skew */
    for (size_t i = 0; i < n * n; i++)
        basis->transposed[i] = basis->p[i % n * n + i / n];
    return basis->axes != NULL;
}

static const void *context_of(struct pe_build *build, const void *values)
{
    const struct string *s = values;
    struct basis *basis = pe_build_alloc(build, sizeof *basis);

    if (basis)
        *basis = (struct basis){.values = s};
    return !basis || (s->circulant.rows == 0 && !take_cayley(build, s, basis)) ? NULL : basis;
}

static const struct lie_kind kind = {
    .layout = layout_of,
    .check = check,
    .context = context_of,
    .turn = turn,
    .part = offsetof(struct string, lie),
};

const struct pe_encoding pe_encoding_string = {
    .name = "string",
    .title = "STRING: learned rotations that commute",
    .formula =
        "Cayley: matrix = P RoPE P^T, P = (I - S)(I + S)^-1, S = skew; RoPE turns pair i by "
        "freqs[0][i] pos_0 + freqs[1][i] pos_1 + ...\n"
        "circulant: matrix = exp(pos_0 (C_0 - C_0^T) + pos_1 (C_1 - C_1^T) + ...)",
    .when_to_use =
        "Vision and robotics models with learned rotations whose scores depend on "
        "differences of positions alone (STRING). liere has generators that need not "
        "commute; rope-nd is the case without the change of basis P.",
    .what_goes_wrong =
        "The matrices belong to vectors as columns, y = R x. P must be the same for queries "
        "and keys: outer=0 leaves out its outer factor on both or on none. The circulant "
        "generator is C - C^T, not C.",
    .picture =
        "grid_sizes=4,4&dim=8&circulant=0,1,.5,-.3,.2,.7,-.4,.1;0,-.5,.3,.8,-.2,.1,.6,.4",
    .summary = "rotations by commuting learned generators, relative exactly (STRING)",
    .source = "Schenck et al. 2025, STRING, arXiv 2502.02562",
    .examples = PE_WORDS("pos=0:3&dim=2&skew=0,1;-1,0&freqs=1",
                         "ids=1,2&dim=4&circulant=0,1,2,3;1,0,-1,.5",
                         "ids=1,2;3,4&dim=4&outer=0&freqs=1,.5;-1,2"
                         "&skew=0,1,0,2;-1,0,3,0;0,-3,0,1;-2,0,-1,0"),
    LIE_HOOKS(struct string, params, outputs, kind),
};

const struct pe_encoding pe_encoding_string_apply = {
    .name = "string/apply",
    .title = "STRING: vectors turned by learned rotations that commute",
    .picture = "grid_sizes=2,4&circulant=0,1,.5,-.3,.2,.7,-.4,.1;0,-.5,.3,.8,-.2,.1,.6,"
               ".4" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by commuting learned generators (STRING)",
    .source = "Schenck et al. 2025, STRING, arXiv 2502.02562",
    .examples = PE_WORDS("pos=1&x=1,2&skew=0,1;-1,0&freqs=1",
                         "ids=1,2;3,4&x=1,2,3,4;5,6,7,8&circulant=0,1,2,3;1,0,-1,.5&"
                         "inverse=1"),
    LIE_APPLY_HOOKS(struct string, apply_params, apply_outputs, kind),
};
