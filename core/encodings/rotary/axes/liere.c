/* SPDX-License-Identifier: Apache-2.0
 * liere.c - rotations from learned generators, which need not commute:
 *
 *     U = strictly upper triangle of raw, B = U - U^T     R = exp(sum over axes a of pos_a B_a)
 *
 * y = R x for each block of b coordinates; the rest of dim is copied. Blocks of 2 are
 * rope2d-mixed with F = -U[0,1]. grid_sizes with training_sizes gives the coordinates of the
 * authors: linspace(0, steps/training, steps) along each axis. Ostmeier et al. 2024, LieRE;
 * StanfordMIMI/LieRE models/rope_vit.py. */
#include <math.h>

#include "core/encodings/rotary/axes/lie.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/math/linear/matrix.h"

struct liere {
    struct lie lie;
    struct pe_reals raw, training_sizes;
    int64_t prefix_tokens;
};

#define ROWS                                                                                   \
    {LIE_NUMBERS(struct liere, raw), .required = true, PE_OWN("posenc", WEIGHTS, BASIC),       \
     .summary =                                                                                \
         "learned generators as matrices of b rows of b numbers, of each axis, head and "      \
         "block in turn; the upper triangle counts"},                                          \
        LIE_ROW_HEADS(struct liere, lie, "generators"),                                        \
        {PE_FIELD(struct liere, training_sizes),                                               \
         .type = PE_REALS,                                                                     \
         .min = 1,                                                                             \
         .max = 65536,                                                                         \
         .when = "grid_sizes",                                                                 \
         PE_OWN("posenc", SHAPE, ADVANCED),                                                    \
         .summary = "sides of the grid in training, over which coordinates run from 0 to 1"},  \
        {PE_FIELD(struct liere, prefix_tokens), .type = PE_INT, .min = 0, .max = 65536,        \
         .summary = "tokens before the others, which do not turn (class token)"},              \
        SPATIAL_SOURCE_ROWS(struct liere, lie.source)

static const struct pe_param params[] = {ROWS, LIE_ROW_DIM(struct liere, lie)};
static const struct pe_param apply_params[] = {ROWS, LIE_APPLY_ROWS(struct liere, lie)};

#define NAMES "raw", "heads", "training_sizes", "prefix_tokens", SPATIAL_SOURCE_NAMES

static const struct pe_output outputs[] = {LIE_OUTPUT_ROW(LIE_BLOCKS, LIE_BOUND, NAMES)};
static const struct pe_output apply_outputs[] = {LIE_APPLY_OUTPUT_ROWS(NAMES)};

/* ---- rules ------------------------------------------------------------------------------- */

static size_t block_of(const struct liere *l)
{
    return l->raw.cols;
}

static size_t blocks_of(const struct liere *l)
{
    return (size_t)l->lie.dim / block_of(l);
}

/* Counts the rows of raw that belong to one axis. */
static size_t axis_rows(const struct liere *l)
{
    return (size_t)l->lie.heads * blocks_of(l) * block_of(l);
}

static void check_raw(const struct liere *l, struct pe_errors *errors)
{
    const size_t block = block_of(l);

    if (block < 2 || block > LIE_BLOCK_MOST)
        pe_fail(errors, PE_CONFLICT, "raw", "must have rows of 2..%d numbers, a block; got %zu",
                LIE_BLOCK_MOST, block);
    else if ((size_t)l->lie.dim < block)
        pe_fail(errors, PE_CONFLICT, "raw", "must have blocks of at most dim, %lld; got %zu",
                (long long)l->lie.dim, block);
    else if (l->raw.rows % axis_rows(l) != 0 || l->raw.rows / axis_rows(l) > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, "raw",
                "must have %zu rows for each of 1..%d axes (heads x blocks x block); got %zu",
                axis_rows(l), AXES_MAX, l->raw.rows);
}

/* Bounds the sum of sizes in a row of U, all axes together: the largest sum of a row of raw
 * right of the diagonal, times axes. */
static double norm_of(const struct liere *l)
{
    double norm = 0;

    for (size_t i = 0; i < l->raw.rows; i++) {
        double sum = 0;

        for (size_t j = i % block_of(l) + 1; j < block_of(l); j++)
            sum += fabs(l->raw.values[i * l->raw.cols + j]);
        norm = fmax(norm, sum);
    }
    return norm * (double)(l->raw.rows / axis_rows(l));
}

static struct lie_layout layout_of(const struct pe_args *args, const void *values)
{
    const struct liere *l = values;
    const size_t axes = l->raw.rows / axis_rows(l);
    struct lie_layout layout = {.points = spatial_source_points(&l->lie.source, axes),
                                .heads = (size_t)l->lie.heads,
                                .blocks = blocks_of(l),
                                .block = block_of(l)};

    layout.points.before = (uint64_t)l->prefix_tokens;
    layout.points.rows += layout.points.before;
    for (size_t a = 0; a < l->training_sizes.cols; a++) {
        const double steps = l->lie.source.grid_sizes.values[a];

        if (steps < 2)
            continue;
        layout.points.scale[a].multiplier = steps;
        layout.points.scale[a].divisor = l->training_sizes.values[a] * (steps - 1);
    }
    return layout;
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct liere *l = values;
    const struct spatial_source *source = &l->lie.source;
    struct lie_layout layout;

    check_raw(l, errors);
    if (errors->count > 0 || spatial_source_check(source, l->raw.rows / axis_rows(l), errors))
        return;
    if (l->training_sizes.cols > 0 && l->training_sizes.cols != source->grid_sizes.cols) {
        pe_fail(errors, PE_CONFLICT, "training_sizes",
                "must have as many numbers as grid_sizes, %zu; got %zu",
                source->grid_sizes.cols, l->training_sizes.cols);
        return;
    }
    layout = layout_of(args, values);
    lie_check_angles(&layout.points, norm_of(l), "raw", errors);
}

/* ---- matrices ---------------------------------------------------------------------------- */

static void turn(const void *context, const struct dd *at, size_t head, size_t block,
                 double *out, double *scratch)
{
    const struct liere *l = context;
    const size_t n = block_of(l), axes = l->raw.rows / axis_rows(l);
    double *generator = scratch;

    for (size_t i = 0; i < n * n; i++)
        generator[i] = 0;
    for (size_t a = 0; a < axes; a++) {
        const double *raw =
            l->raw.values + (a * axis_rows(l) + (head * blocks_of(l) + block) * n) * n;

        for (size_t i = 0; i < n; i++) {
            for (size_t j = i + 1; j < n; j++) {
                generator[i * n + j] += at[a].hi * raw[i * n + j];
                generator[j * n + i] = -generator[i * n + j];
            }
        }
    }
    matrix_exponential(generator, n, out, scratch + n * n);
}

static const void *context_of(struct pe_build *build, const void *values)
{
    return values;
}

static const struct lie_kind kind = {
    .layout = layout_of,
    .check = check,
    .context = context_of,
    .turn = turn,
    .part = offsetof(struct liere, lie),
};

const struct pe_encoding pe_encoding_liere = {
    .name = "liere",
    .title = "LieRE: learned rotations of blocks",
    .formula =
        "U = strictly upper triangle of a matrix of raw, B = U - U^T\n"
        "matrix of a token = exp(pos_0 B_0 + pos_1 B_1 + ...), a generator B for each axis, "
        "head and block",
    .when_to_use =
        "Images and volumes with learned rotations (LieRE). Blocks of 2 are rope2d-mixed; "
        "string has generators that commute, so that scores depend on differences of "
        "positions alone; rope-axes needs no weights.",
    .what_goes_wrong =
        "Generators of different axes do not commute: scores depend on both positions, not "
        "on their difference alone, and exp(a + b) is not exp(a) exp(b). Blocks of two turn "
        "the other way than rope2d-mixed: F = -U[0][1]. The coordinates of the authors run "
        "from 0 to steps / training steps, ends included (training_sizes).",
    .picture =
        "grid_sizes=4,4&dim=4&raw=0,1,.5,-.3;0,0,.7,.2;0,0,0,-1;0,0,0,0;0,.4,-.6,.1;0,0,.3,"
        "-.8;0,0,0,.5;0,0,0,0",
    .summary = "rotations of blocks by learned generators, for any number of axes (LieRE)",
    .source = "Ostmeier et al. 2024, LieRE; StanfordMIMI/LieRE models/rope_vit.py",
    .examples =
        PE_WORDS("pos=0:3&dim=2&raw=0,1;0,0",
                 "ids=1,2;3,4&dim=4&raw=0,1;0,0;0,2;0,0;0,"
                 ".5;0,0;0,-1;0,0",
                 "grid_sizes=2,3&training_sizes=2,3&prefix_tokens=1&dim=3&raw=0,1,2;0,0,"
                 "3;0,0,0;0,"
                 "-1,1;0,0,2;0,0,0"),
    LIE_HOOKS(struct liere, params, outputs, kind),
};

const struct pe_encoding pe_encoding_liere_apply = {
    .name = "liere/apply",
    .title = "LieRE: vectors turned by learned rotations",
    .picture =
        "grid_sizes=2,4&raw=0,1,.5,-.3;0,0,.7,.2;0,0,0,-1;0,0,0,0;0,.4,-.6,.1;0,0,.3,-.8;0,0,"
        "0,.5;0,0,0,0;0,.2,.3,.9;0,0,-.4,.5;0,0,0,.6;0,0,0,0;0,-.7,.2,.4;0,0,.8,-.1;0,0,0,.3;"
        "0,0,0,0" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated block by block by learned generators (LieRE)",
    .source = "Ostmeier et al. 2024, LieRE; StanfordMIMI/LieRE models/rope_vit.py",
    .examples = PE_WORDS("pos=1&x=1,0&raw=0,1;0,0",
                         "ids=1,2;3,4&x=1,2,3,4,5;6,7,8,9,10&raw=0,1;0,0;0,2;0,0;0,.5;0,"
                         "0;0,-1;"
                         "0,0&inverse=1"),
    LIE_APPLY_HOOKS(struct liere, apply_params, apply_outputs, kind),
};
