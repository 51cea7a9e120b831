/* SPDX-License-Identifier: Apache-2.0
 * comrope.c - rotations of blocks whose learned angle matrices commute, so that scores depend
 * on differences of positions alone:
 *
 *     S = F - F^T of each head and block          R = exp(t S)
 *     AP: t = pos_a, a = block mod axes           LD: t = sum over axes a of m[a][block] pos_a
 *
 * Yu et al. 2025, ComRoPE: Scalable and Robust Rotary Position Embedding Parameterized by
 * Trainable Commuting Angle Matrices; Longin-Yu/ComRoPE model.py. A grid has the coordinates of
 * its patches' centres, (k + 1/2) / side. */
#include <math.h>

#include "core/encodings/rotary/axes/lie.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/math/linear/matrix_dd.h"
#include "core/math/number/elementary.h"

struct comrope {
    struct lie lie;
    struct pe_reals freqs, multiplier;
    int64_t num_axes;
    double cls_position;
    bool axis_scale;
};

#define OWN(CATEGORY, LEVEL) PE_OWN("Longin-Yu/ComRoPE", CATEGORY, LEVEL)

#define ROWS                                                                                   \
    {LIE_NUMBERS(struct comrope, freqs), .required = true,                                     \
     .summary = "learned matrices F of b rows of b numbers, of each head and block in turn"},  \
        {LIE_NUMBERS(struct comrope, multiplier), OWN(WEIGHTS, BASIC),                         \
         .summary = "factors of the matrices, a row an axis, a column a block: ComRoPE-LD; "   \
                    "absent: ComRoPE-AP, whose blocks have one axis each"},                    \
        {PE_FIELD(struct comrope, num_axes),                                                   \
         .type = PE_INT,                                                                       \
         .min = 1,                                                                             \
         .max = AXES_MAX,                                                                      \
         .preset = 2,                                                                          \
         .when = "!multiplier",                                                                \
         OWN(SHAPE, BASIC),                                                                    \
         .summary = "number of axes, which blocks have in turn"},                              \
        LIE_ROW_HEADS(struct comrope, lie, "matrices"),                                        \
        {PE_FIELD(struct comrope, axis_scale),                                                 \
         .type = PE_BOOL,                                                                      \
         .preset = 1,                                                                          \
         .when = "grid_sizes",                                                                 \
         OWN(POSITIONS, ADVANCED),                                                             \
         .summary = "patches of a grid are at (k + 1/2) / last side; 0: at k"},                \
        {PE_FIELD(struct comrope, cls_position),                                               \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = -65536,                                                                        \
         .max = 65536,                                                                         \
         OWN(POSITIONS, ADVANCED),                                                             \
         .summary = "coordinate on every axis of a class token before the others; absent: "    \
                    "there is none"},                                                          \
        SPATIAL_SOURCE_ROWS(struct comrope, lie.source)

static const struct pe_param params[] = {ROWS, LIE_ROW_DIM(struct comrope, lie)};
static const struct pe_param apply_params[] = {ROWS, LIE_APPLY_ROWS(struct comrope, lie)};

#define NAMES                                                                                  \
    "freqs", "multiplier", "num_axes", "heads", "axis_scale", "cls_position",                  \
        SPATIAL_SOURCE_NAMES

static const struct pe_output outputs[] = {LIE_OUTPUT_ROW(
    LIE_BLOCKS,
    "0.501 ULP; f64 1 ULP; both and absolute b^2 (2 + n) 2^-96 of blocks of b, n "
    "the norm of t S in radians",
    NAMES)};
static const struct pe_output apply_outputs[] = {VECTORS_OUTPUT_ROWS(
    "rotated", "0.501 ULP, where terms cancel b 2^-50 of the block's length; f64 b 2^-50 of it",
    LIE_APPLY_NAMES, NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t axes_of(const struct comrope *c)
{
    return c->multiplier.rows > 0 ? c->multiplier.rows : (size_t)c->num_axes;
}

static size_t blocks_of(const struct comrope *c)
{
    return (size_t)c->lie.dim / c->freqs.cols;
}

static void check_sizes(const struct comrope *c, struct pe_errors *errors)
{
    const size_t block = c->freqs.cols, dim = (size_t)c->lie.dim;

    if (block < 2 || block > LIE_BLOCK_MOST)
        pe_fail(errors, PE_CONFLICT, "freqs",
                "must have rows of 2..%d numbers, a block; got %zu", LIE_BLOCK_MOST, block);
    else if (dim % block != 0)
        pe_fail(errors, PE_CONFLICT, "freqs", "must have blocks that divide dim, %zu; got %zu",
                dim, block);
    else if (c->freqs.rows != (size_t)c->lie.heads * dim)
        pe_fail(errors, PE_CONFLICT, "freqs", "must have heads times dim, %zu, rows; got %zu",
                (size_t)c->lie.heads * dim, c->freqs.rows);
    else if (c->multiplier.rows > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, "multiplier",
                "must have at most %d rows, an axis each; "
                "got %zu",
                AXES_MAX, c->multiplier.rows);
    else if (c->multiplier.rows > 0 && c->multiplier.cols != blocks_of(c))
        pe_fail(errors, PE_CONFLICT, "multiplier", "must have a column a block, %zu; got %zu",
                blocks_of(c), c->multiplier.cols);
    else if (c->multiplier.rows == 0 && blocks_of(c) % axes_of(c) != 0)
        pe_fail(errors, PE_CONFLICT, "num_axes",
                "must divide the blocks of a head, %zu; got %zu", blocks_of(c), axes_of(c));
}

/* Bounds the sum of sizes in a row of a generator at coordinates of 1, all axes together. */
static double norm_of(const struct comrope *c)
{
    const size_t n = c->freqs.cols;
    double norm = 0, most = 0;

    for (size_t row = 0; row < c->freqs.rows; row++) {
        const double *block = c->freqs.values + row / n * n * n;
        double sum = 0;

        for (size_t j = 0; j < n; j++)
            sum += fabs(block[row % n * n + j] - block[j * n + row % n]);
        norm = fmax(norm, sum);
    }
    for (size_t b = 0; b < c->multiplier.cols; b++) {
        double sum = 0;

        for (size_t a = 0; a < c->multiplier.rows; a++)
            sum += fabs(c->multiplier.values[a * c->multiplier.cols + b]);
        most = fmax(most, sum);
    }
    return norm * (c->multiplier.rows > 0 ? most : 1);
}

static struct lie_layout layout_of(const struct pe_args *args, const void *values)
{
    const struct comrope *c = values;
    const struct pe_reals *sides = &c->lie.source.grid_sizes;
    struct lie_layout layout = {.points = spatial_source_points(&c->lie.source, axes_of(c)),
                                .heads = (size_t)c->lie.heads,
                                .blocks = blocks_of(c),
                                .block = c->freqs.cols,
                                .led = !isnan(c->cls_position),
                                .lead = c->cls_position};

    layout.points.before = layout.led;
    layout.points.rows += layout.points.before;
    for (size_t a = 0; sides->cols > 0 && c->axis_scale && a < layout.points.axes; a++) {
        layout.points.first[a] = .5;
        layout.points.scale[a].divisor = sides->values[sides->cols - 1];
    }
    return layout;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct comrope *c = values;
    struct lie_layout layout;

    check_sizes(c, errors);
    if (errors->count > 0 || spatial_source_check(&c->lie.source, axes_of(c), errors))
        return;
    layout = layout_of(args, values);
    lie_check_angles(&layout.points, norm_of(c) / 2, "freqs", errors);
    if (errors->count == 0 && layout.led && norm_of(c) * fabs(layout.lead) > 0x1p20)
        pe_fail(errors, PE_OUT_OF_RANGE, "cls_position",
                "times freqs must stay within 2^20 radians, so that angles keep their digits; "
                "got %.3g",
                norm_of(c) * fabs(layout.lead));
}

/* ---- matrices ---------------------------------------------------------------------------- */

/* Returns the factor t of the generator of a block. */
static struct dd factor_of(const struct comrope *c, const struct dd *at, size_t block)
{
    struct dd sum = {0, 0};

    if (c->multiplier.rows == 0)
        return at[block % axes_of(c)];
    for (size_t a = 0; a < c->multiplier.rows; a++) {
        const struct dd m = {c->multiplier.values[a * c->multiplier.cols + block], 0};

        sum = elementary_add(sum, elementary_multiply(m, at[a]));
    }
    return sum;
}

/* The context of turn: the parameters, and the stop that an exponential looks at. */
struct stoppable {
    const struct comrope *values;
    const struct pe_stop *stop;
};

static void turn(const void *context, const struct dd *at, size_t head, size_t block,
                 double *out, double *scratch)
{
    const struct stoppable *stoppable = context;
    const struct comrope *c = stoppable->values;
    const size_t n = c->freqs.cols;
    const double *f = c->freqs.values + (head * blocks_of(c) + block) * n * n;
    const struct dd t = factor_of(c, at, block);
    struct dd *generator = (struct dd *)(void *)scratch, *turned = generator + n * n;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            generator[i * n + j] =
                elementary_multiply(elementary_sum(f[i * n + j], -f[j * n + i]), t);
    if (!matrix_exponential_dd(generator, n, turned, turned + n * n, stoppable->stop))
        return;
    for (size_t i = 0; i < n * n; i++)
        out[i] = turned[i].hi + turned[i].lo;
}

static const void *context_of(struct pe_build *build, const void *values)
{
    struct stoppable *stoppable = pe_build_alloc(build, sizeof *stoppable);

    if (stoppable)
        *stoppable = (struct stoppable){values, pe_build_stop(build)};
    return stoppable;
}

/* A matrix takes some fifteen products of double-doubles. */
static double plan_ns(const struct pe_args *args, const void *values,
                      const struct lie_layout *layout)
{
    const double n = (double)layout->block;

    return 150 * n * n * (n + 2) * (double)layout->points.rows *
           (double)(layout->heads * layout->blocks);
}

static const struct lie_kind kind = {
    .layout = layout_of,
    .check = check,
    .context = context_of,
    .turn = turn,
    .plan_ns = plan_ns,
    .part = offsetof(struct comrope, lie),
};

const struct pe_encoding pe_encoding_comrope = {
    .name = "comrope",
    .title = "ComRoPE: learned rotations of blocks that commute",
    .formula = "S = F - F^T of each head and block, matrix of a token = exp(t S)\n"
               "AP: t = pos of axis block mod axes; LD: t = sum of multiplier[a][block] pos_a",
    .when_to_use =
        "Images and videos with learned angle matrices that commute (ComRoPE). liere has "
        "matrices that need not; blocks of 2 are rope-nd with learned frequencies.",
    .what_goes_wrong =
        "Both triangles of F count, unlike liere's. Coordinates of a grid are centres of "
        "patches divided by the last side, and the class token stands at 0.5 (cls_position), "
        "not at 0. In AP neighbouring blocks have different axes.",
    .picture = "grid_sizes=4,4&dim=8&freqs=0,3,1,-1;0,0,2,.5;0,0,0,4;0,0,0,0;0,-2,1,.5;0,0,3,1;"
               "0,0,0,2;0,0,0,0",
    .summary = "rotations of blocks by learned matrices that commute (ComRoPE)",
    .source = "Yu et al. 2025, ComRoPE; Longin-Yu/ComRoPE model.py",
    .examples = PE_WORDS("pos=0:3&dim=2&num_axes=1&freqs=0,1;0,0",
                         "ids=1,2;3,4&dim=4&freqs=0,1;0,0;0,2;0,0&multiplier=1,.5;-1,2",
                         "grid_sizes=2,2&cls_position=.5&dim=4&freqs=0,1;-1,0;0,2;0,0"),
    LIE_HOOKS(struct comrope, params, outputs, kind),
};

const struct pe_encoding pe_encoding_comrope_apply = {
    .name = "comrope/apply",
    .title = "ComRoPE: vectors turned by learned matrices that commute",
    .picture = "grid_sizes=2,4&freqs=0,3,1,-1;0,0,2,.5;0,0,0,4;0,0,0,0;0,-2,1,.5;0,0,3,1;0,0,0,"
               "2;0,0,0,0" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated block by block by learned matrices that commute (ComRoPE)",
    .source = "Yu et al. 2025, ComRoPE; Longin-Yu/ComRoPE model.py",
    .examples = PE_WORDS("pos=1&num_axes=1&x=1,0&freqs=0,1;0,0",
                         "ids=1,2;3,4&x=1,2,3,4;5,6,7,8&freqs=0,1;0,0;0,2;0,0&inverse=1"),
    LIE_APPLY_HOOKS(struct comrope, apply_params, apply_outputs, kind),
};
