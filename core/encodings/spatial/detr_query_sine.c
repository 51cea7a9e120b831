/* SPDX-License-Identifier: Apache-2.0
 * detr_query_sine.c - sines and cosines of points or boxes, coordinates in [0, 1]:
 *
 *     t_f = base^(2 floor(f/2) / F), f = 0..F-1      f even: sin(c scale / t_f), odd: cos
 *     row = [y | x] of points (x, y), [y | x | w | h] of boxes (cx, cy, w, h)
 *
 * y stands before x, but w before h. Meng et al. 2021, Conditional DETR; Liu et al. 2022,
 * DAB-DETR, transformer.py gen_sineembed_for_position. */
#include <math.h>

#include "core/encodings/spatial/detr_ladder.h"

struct detr_query_sine {
    struct pe_reals points, boxes;
    struct detr_ladder ladder;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct detr_query_sine, points), .type = PE_REALS, .matrix = true,
     .required = true, .min = -0x1p53, .max = 0x1p53, .when = "!boxes",
     .summary = "points as rows of x,y, in [0, 1]: 0.25,0.5;0,1"},
    {PE_FIELD(struct detr_query_sine, boxes), .type = PE_REALS, .matrix = true, .min = -0x1p53,
     .max = 0x1p53,
     .summary = "boxes as rows of the centre and the size, cx,cy,w,h, in [0, 1]"},
    DETR_LADDER_ROWS(struct detr_query_sine, ladder, NULL),
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, PE_COLUMN_AXES_WAVE, SPATIAL_COLUMNS_BOUND)};

static const struct pe_reals *given(const struct detr_query_sine *d)
{
    return d->points.rows > 0 ? &d->points : &d->boxes;
}

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct detr_query_sine *d = values;

    detr_ladder_resolve(&d->ladder);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct detr_query_sine *d = values;
    const struct pe_reals *rows = given(d);
    const size_t cols = d->points.rows > 0 ? 2 : 4;

    if (rows->cols != cols)
        pe_fail(errors, PE_CONFLICT, cols == 2 ? "points" : "boxes",
                "must have %zu columns; got %zu", cols, rows->cols);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct detr_query_sine *d = values;

    return spatial_columns_plan_ns(2 * (double)d->ladder.num_pos_feats);
}

static void prepare(struct pe_build *build, const void *values)
{
    static const size_t axis_of[] = {1, 0, 2, 3}; /* blocks are y, x, w, h */
    const struct detr_query_sine *d = values;
    const size_t feats = (size_t)d->ladder.num_pos_feats, pairs = detr_ladder_pairs(&d->ladder);
    const size_t blocks = given(d)->cols;
    struct spatial_columns wanted = {.points = spatial_columns_given(given(d)),
                                     .pairs = blocks * pairs,
                                     .cols = blocks * feats,
                                     .ladder_count = blocks};
    struct axes_columns *columns;
    struct axes_column *column;

    for (size_t b = 0; b < blocks; b++)
        wanted.ladders[b] =
            detr_ladder_of(&d->ladder, axis_of[b], b * pairs, axis_of[b] % 2 == 0);
    columns = spatial_columns_new(build, &wanted, &column);
    for (size_t b = 0; columns && b < blocks; b++)
        detr_ladder_put(&d->ladder, column + b * feats, b * pairs);
    spatial_columns_fill(build, columns, 0);
}

const struct pe_encoding pe_encoding_detr_query_sine = {
    .name = "detr-query-sine",
    .title = "DETR: sinusoids of points and boxes",
    .formula = "t_f = base^(2 floor(f/2) / F), f = 0..F-1, F = num_pos_feats\n"
               "e(c): column f is sin(c scale / t_f) for even f, cos for odd f\n"
               "row = [e(y) | e(x)] of points, [e(y) | e(x) | e(w) | e(h)] of boxes",
    .when_to_use =
        "Queries of a detector that have reference points or boxes: Conditional DETR, "
        "DAB-DETR and their descendants. The pixels that the queries attend to have the "
        "encoding detr-sine.",
    .what_goes_wrong =
        "y comes before x, but w before h, while points and boxes are given as x,y and "
        "cx,cy,w,h. Coordinates are shares of the image, not pixels. DAB-DETR encodes "
        "queries with base 10000, although it encodes pixels with base 20.",
    .picture =
        "points=0,0;.1,.2;.2,.4;.3,.6;.4,.8;.5,1;.6,.8;.7,.6;.8,.4;.9,.2;1,0&num_pos_feats=32",
    .summary = "sines and cosines of points or boxes for queries (Conditional and DAB-DETR)",
    .source = "Meng et al. 2021, Conditional DETR; Liu et al. 2022, DAB-DETR; IDEA-Research/"
              "DAB-DETR transformer.py, gen_sineembed_for_position",
    .examples = PE_WORDS("points=.25,.5&num_pos_feats=4", "points=0,0;.5,1",
                         "boxes=.5,.5,.25,.125&num_pos_feats=6&base=20"),
    .family = PE_SPATIAL,
    PE_TABLES(struct detr_query_sine, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("pos=points.0|boxes.0", "dim=points.1|boxes.1*num_pos_feats"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
