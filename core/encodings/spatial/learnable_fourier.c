/* SPDX-License-Identifier: Apache-2.0
 * learnable_fourier.c - learned directions in space, as angles that rotate pairs or as features
 * of a small network:
 *
 *     a = Wr x                            cos a, sin a rotate adjacent pairs of descriptors
 *     f = [cos a | sin a] / sqrt(dim)     rows = W2 gelu(W1 f + b1) + b2
 *
 * With image_wh, x is (keypoint - image_wh/2) / (max(image_wh)/2). Lindenberger et al. 2023,
 * LightGlue; cvg/LightGlue lightglue.py. Li et al. 2021, Learnable Fourier Features for
 * Multi-Dimensional Spatial Positional Encoding.
 */
#include <math.h>

#include "core/encodings/spatial/learnable_fourier_network.h"
#include "core/encodings/spatial/spatial.h"
#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_columns.h"
#include "core/math/number/elementary.h"

enum {
    COS,
    SIN,
    ANGLES,
    FEATURES,
    ROWS,
};

struct learnable_fourier {
    struct spatial spatial; /* parameters of learnable-fourier/apply */
    struct pe_reals coords, wr, image_wh, w1, b1, w2, b2;
    int width;
};

/* Declares the parameters that decide the angles. */
#define ANGLE_ROWS                                                                             \
    SPATIAL_COLUMNS_ROW_COORDS(struct learnable_fourier),                                      \
        {PE_FIELD(struct learnable_fourier, wr),                                               \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .required = true,                                                                     \
         .min = -1e18,                                                                         \
         .max = 1e18,                                                                          \
         .unit = "radians",                                                                    \
         PE_OWN("cvg/LightGlue", WEIGHTS, BASIC),                                              \
         .summary = "directions Wr, in radians a unit: a row a pair, a column a coordinate: "  \
                    "1,0;0,2"},                                                                \
    {                                                                                          \
        PE_FIELD(struct learnable_fourier, image_wh),                                          \
            .type = PE_REALS, .min = 1e-18, .max = 0x1p51,                                     \
            PE_OWN("cvg/LightGlue", SHAPE, BASIC), .unit = "pixels",                           \
            .summary =                                                                         \
                "width and height of the image of keypoints in pixels, 640,480; absent: "      \
                "coords are not normalized"                                                    \
    }
#define NAMES "coords", "wr", "image_wh"

static const struct pe_param params[] = {
    ANGLE_ROWS,
    {PE_FIELD(struct learnable_fourier, width), .type = PE_CHOICE, .choices = spatial_widths,
     .preset = SPATIAL_WIDTH_HALF},
    {PE_FIELD(struct learnable_fourier, w1), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18,
     .summary = "weights of the first layer, a row a hidden unit, a column a feature"},
    {PE_FIELD(struct learnable_fourier, b1), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .summary = "biases of the first layer, one a hidden unit"},
    {PE_FIELD(struct learnable_fourier, w2), .type = PE_REALS, .matrix = true, .required = true,
     .min = -1e18, .max = 1e18,
     .summary = "weights of the second layer, a row a column of the answer"},
    {PE_FIELD(struct learnable_fourier, b2), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .summary = "biases of the second layer, one a column of the answer"},
};

static const struct pe_output outputs[] = {
    [COS] = {PE_OUTPUT("cos", PE_F32, "pos", "width"), .label = "Cosines",
             .columns = PE_COLUMN_PAIRED,
             .summary = "cosines of the angles by which pairs turn", .by_default = true,
             .uses = PE_WORDS(NAMES, "width"), .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "width"), .label = "Sines",
             .columns = PE_COLUMN_PAIRED, .summary = "sines of the angles by which pairs turn",
             .by_default = true, .uses = PE_WORDS(NAMES, "width"),
             .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [ANGLES] = {PE_OUTPUT("angles", PE_F32, "pos", "pair"), .label = "Angles",
                .columns = PE_COLUMN_PAIR, .summary = "angles by which pairs turn, in radians",
                .uses = PE_WORDS(NAMES), .bound = SPATIAL_COLUMNS_DENSE_BOUND},
    [FEATURES] = {PE_OUTPUT("features", PE_F32, "pos", "dim"), .label = "Features",
                  .columns = PE_COLUMN_WAVE,
                  .summary = "all cosines before all sines, over the root of their number",
                  .uses = PE_WORDS(NAMES),
                  .bound = "0.501 ULP; f64 3 ULP, where terms cancel 2^-52 of their "
                           "image_wh"},
    [ROWS] = {PE_OUTPUT("rows", PE_F32, "pos", "dim"), .label = "Rows",
              .picture = "coords=0,0;.25,.5;.5,1;.75,.5;1,0;.75,-.5;.5,-1;.25,-.5&wr=1,0;0,2&"
                         "w1=1,0,2,0;0,1,0,-1;1,-1,1,1&b1=0,.5,-.5&w2=1,0,0;0,1,0;0,0,1;1,-1,0;"
                         "0,1,-1;1,1,1&b2=0,0,0,0,.5,-.5",
              .summary = "the features of each point after the network",
              .uses = PE_WORDS(NAMES, "w1", "b1", "w2", "b2"),
              .bound = "0.501 ULP, f64 1 ULP; where terms cancel 2^-50 of their size"},
};

/* ---- rules ------------------------------------------------------------------------------- */

static struct learnable_fourier_network network_of(const struct learnable_fourier *l)
{
    return (struct learnable_fourier_network){.w1 = &l->w1,
                                              .b1 = &l->b1,
                                              .w2 = &l->w2,
                                              .b2 = &l->b2};
}

/* Checks the parameters that decide the angles. */
static void check_points(const struct learnable_fourier *l, struct pe_errors *errors)
{
    if (l->wr.cols != l->coords.cols)
        pe_fail(errors, PE_CONFLICT, "wr", "must have a column a coordinate, %zu; got %zu",
                l->coords.cols, l->wr.cols);
    if (l->image_wh.cols > 0 && (l->image_wh.cols != 2 || l->coords.cols != 2))
        pe_fail(errors, PE_CONFLICT, "image_wh",
                "must be width and height, of coordinates x and y; got %zu numbers and %zu "
                "coordinates",
                l->image_wh.cols, l->coords.cols);
    spatial_columns_check_given(&l->coords, "coords", errors);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct learnable_fourier *l = values;

    check_points(l, errors);
    if (pe_wants(args, ROWS)) {
        const struct learnable_fourier_network network = network_of(l);

        learnable_fourier_network_check(&network, 2 * l->wr.rows, errors);
    }
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct learnable_fourier *l = values;
    const uint64_t pairs = l->wr.rows;

    dims[0] = l->coords.rows;
    if (output == ROWS)
        dims[1] = l->w2.rows;
    else if (output == ANGLES)
        dims[1] = pairs;
    else if (output == FEATURES)
        dims[1] = 2 * pairs;
    else
        dims[1] = l->width == SPATIAL_WIDTH_FULL ? 2 * pairs : pairs;
    return 2;
}

/* ---- points ------------------------------------------------------------------------------ */

/* Computes the numerators 2 keypoint - image_wh, exact as double-doubles: two numbers a
 * coordinate. */
static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct learnable_fourier *l = context;

    for (size_t a = 0; a < 2; a++) {
        const struct dd number =
            elementary_sum(2 * l->coords.values[2 * row + a], -l->image_wh.values[a]);

        numbers[2 * a] = number.hi;
        numbers[2 * a + 1] = number.lo;
    }
}

/* Returns the keypoints as points; with image_wh, a coordinate has two numbers. */
static struct axes_points points_of(const struct learnable_fourier *l)
{
    struct axes_points points;

    if (l->image_wh.cols == 0)
        return spatial_columns_given(&l->coords);
    points = axes_points_none(4);
    points.rows = l->coords.rows;
    points.compute = compute;
    points.context = l;
    for (size_t a = 0; a < 4; a++)
        points.scale[a].divisor = fmax(l->image_wh.values[0], l->image_wh.values[1]);
    return points;
}

/* Transposes Wr, so that it has a row for each number of a point; NULL when out of memory. */
static const double *matrix_of(struct pe_build *build, const void *values)
{
    const struct learnable_fourier *l = values;
    const size_t pairs = l->wr.rows, each = l->image_wh.cols > 0 ? 2 : 1;
    const size_t axes = each * l->wr.cols;
    double *matrix = pe_build_alloc(build, axes * pairs * sizeof *matrix);

    for (size_t i = 0; matrix && i < axes * pairs; i++)
        matrix[i] = l->wr.values[i % pairs * l->wr.cols + i / pairs / each];
    return matrix;
}

/* ---- filling ----------------------------------------------------------------------------- */

/* Makes the columns of an output; those of ROWS are the features that the network reads. NULL:
 * out of memory. */
static struct axes_columns *columns_of(struct pe_build *build,
                                       const struct learnable_fourier *l,
                                       struct spatial_columns layout, size_t output)
{
    const size_t pairs = l->wr.rows;
    const enum axes_wave wave = output == COS ? AXES_WAVE_COS : AXES_WAVE_SIN;
    double *amplitude;

    layout.cols = 2 * pairs;
    if (output == ANGLES || (output < ANGLES && l->width != SPATIAL_WIDTH_FULL)) {
        layout.cols = pairs;
        spatial_columns_put(&layout, 0, 1, output == ANGLES ? AXES_WAVE_ANGLE : wave, 0, pairs);
    } else if (output < ANGLES) {
        spatial_columns_put(&layout, 0, 2, wave, 0, pairs);
        spatial_columns_put(&layout, 1, 2, wave, 0, pairs);
    } else {
        spatial_columns_put(&layout, 0, 1, AXES_WAVE_COS, 0, pairs);
        spatial_columns_put(&layout, pairs, 1, AXES_WAVE_SIN, 0, pairs);
        layout.amplitude = amplitude = pe_build_alloc(build, 2 * pairs * sizeof *amplitude);
        for (size_t i = 0; amplitude && i < 2 * pairs; i++)
            amplitude[i] = sqrt(1 / (double)layout.cols);
        if (!amplitude)
            return NULL;
    }
    return spatial_columns_new(build, &layout, NULL);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct learnable_fourier *l = values;

    return spatial_columns_plan_ns(2 * (double)l->wr.cols * (double)l->wr.rows);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct learnable_fourier *l = values;
    struct spatial_columns layout = {.points = points_of(l), .pairs = l->wr.rows};
    const double *matrix = matrix_of(build, l);
    bool right = matrix && spatial_columns_dense(build, &layout, matrix, false);

    for (size_t i = 0; right && i < PE_LEN(outputs); i++) {
        struct axes_columns *columns;

        if (!pe_wants(pe_build_args(build), i))
            continue;
        columns = columns_of(build, l, layout, i);
        right = columns != NULL;
        if (right && i == ROWS) {
            struct learnable_fourier_network network = network_of(l);

            network.features = columns;
            pe_build_fill_copy(build, ROWS, &learnable_fourier_network_filler, &network,
                               sizeof network);
        } else if (right) {
            pe_build_fill(build, i, &axes_columns_filler, columns);
        }
    }
}

const struct pe_encoding pe_encoding_learnable_fourier = {
    .name = "learnable-fourier",
    .title = "Learnable Fourier features",
    .formula = "a = Wr x, x = coords, or (coords - image_wh/2) / (max(image_wh)/2)\n"
               "features = [cos a | sin a] / sqrt(dim)\n"
               "rows = W2 gelu(W1 features + b1) + b2",
    .when_to_use =
        "Points of an image or of space with trained directions: LightGlue turns the "
        "descriptors of keypoints by the angles (learnable-fourier/apply), Li et al. "
        "2021 add the rows to tokens. Random directions are those of fourier-features.",
    .what_goes_wrong =
        "LightGlue divides both coordinates by half of the larger side of the image, "
        "not each by its own side, and image_wh has the width first. Wr counts radians: "
        "no 2 pi multiplies it. LightGlue turns adjacent entries: its cos and sin have "
        "each value twice, side by side (width=full).",
    .picture = "coords=0,0;20,15;40,30;60,45;80,60;100,75;120,90;140,105;160,120;180,135;"
               "200,150;220,165;240,180;260,195;280,210;300,225;320,240;340,225;360,210;"
               "380,195;400,180;420,165;440,150;460,135;480,120;500,105;520,90;540,75;560,60;"
               "580,45;600,30;620,15&wr=1,0;2,0;3,0;0,1;1,1;2,1;3,1;0,2;1,2;2,2;3,2;0,3;1,3;"
               "2,3;3,3&image_wh=640,480",
    .summary = "learned directions in space, as angles or through a network (LightGlue)",
    .source =
        "Lindenberger et al. 2023, LightGlue; cvg/LightGlue lightglue.py; Li et al. 2021, "
        "Learnable Fourier Features for Multi-Dimensional Spatial Positional Encoding",
    .examples =
        PE_WORDS("coords=.5,-.375&wr=1,0;0,2",
                 "coords=480,120;0,0&wr=1,0;0,2&image_wh=640,480&width=full",
                 "coords=.5,-.375&wr=1,0;0,2&out=angles,features",
                 "coords=.5;1&wr=2&w1=1,2;0,-1;.5,.5&b1=0,1,-1&w2=1,2,3&b2=.5&out=rows"),
    .family = PE_SPATIAL,
    PE_TABLES(struct learnable_fourier, params, outputs),
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};

/* ---- descriptors turned ------------------------------------------------------------------ *
 * Pair (x_2i, x_2i+1) of a keypoint's descriptor rotates by a_i = (Wr keypoint)_i: LightGlue,
 * apply_cached_rotary_emb. */

static const struct pe_param apply_params[] = {
    ANGLE_ROWS,
    SPATIAL_APPLY_ROWS(struct learnable_fourier, spatial),
};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static void apply_resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    struct learnable_fourier *l = values;
    const size_t turned = (size_t)spatial_turned(&l->spatial);

    l->spatial.vectors.head_axis = PE_ABSENT_INT; /* all heads rotate by one table */
    if (2 * l->wr.rows != turned)
        pe_fail(errors, PE_CONFLICT, "wr",
                "must have a row for each of the %zu pairs that rotate; got %zu", turned / 2,
                l->wr.rows);
    check_points(l, errors);
}

static struct spatial_layout apply_layout(const void *values)
{
    const struct learnable_fourier *l = values;

    return (struct spatial_layout){.points = points_of(l),
                                   .pairs = l->wr.rows,
                                   .pairing = SPATIAL_ADJACENT};
}

static const struct spatial_kind kind = {
    .layout = apply_layout,
    .resolve = apply_resolve,
    .frequencies = matrix_of,
    .part = offsetof(struct learnable_fourier, spatial),
    .multiple = 2,
    .rows = "coords",
};

const struct pe_encoding pe_encoding_learnable_fourier_apply = {
    .name = "learnable-fourier/apply",
    .title = "Descriptors turned by learnable Fourier features",
    .picture = "coords=0,0;320,240;640,0;0,480;80,60;160,120;240,180;400,300&"
               "wr=1,0;0,2;1,1;2,-1&image_wh=640,480" SPATIAL_PICTURE_VECTORS,
    .summary = "descriptors rotated by learned directions in space (LightGlue)",
    .source = "Lindenberger et al. 2023, LightGlue; cvg/LightGlue lightglue.py",
    .examples = PE_WORDS("coords=.5,-.375&wr=1,0;0,2&x=1,2,3,4",
                         "coords=480,120;0,0&wr=1,0;0,2&image_wh=640,480&x=1,0,0,1;1,2,3,4",
                         "coords=1,2&wr=.5,1&x=1,2&inverse=1",
                         "coords=1,2&wr=.5,1&x=7,1,2,8&offset_dims=1&rotary_dim=2"),
    SPATIAL_APPLY_HOOKS(struct learnable_fourier, apply_params, apply_outputs, kind),
};
