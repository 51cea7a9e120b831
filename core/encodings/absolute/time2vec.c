/* SPDX-License-Identifier: Apache-2.0
 * time2vec.c - a learned line and learned waves of time:
 *
 *     y_0 = w_0 t + phi_0      y_i = activation(w_i t + phi_i), i = 1..k
 *
 * with linear_column=last the line is the last column. Kazemi et al. 2019, Time2Vec: Learning a
 * Vector Representation of Time. */
#include "core/encodings/spatial/spatial_columns.h"

enum { SINE, COSINE };
enum { FIRST, LAST };
enum { TIME, ONE, NUMBERS };

struct time2vec {
    const struct pe_positions *pos;
    struct pe_reals w, phi;
    int activation, linear_column;
};

static const struct pe_param params[] = {
    {PE_FIELD(struct time2vec, pos), .type = PE_POSITIONS, .required = true, .fractions = true,
     .summary = "times, one a row, as 0:128 or 0.5,7"},
    {PE_FIELD(struct time2vec, w), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .unit = "radians", .level = PE_BASIC,
     .summary = "learned frequencies, one a column, in radians a unit of time"},
    {PE_FIELD(struct time2vec, phi), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .unit = "radians", PE_OWN("Kazemi et al. 2019", WEIGHTS, BASIC),
     .summary = "learned phases, one a column, as many as w"},
    {PE_FIELD(struct time2vec, activation),
     PE_CHOICES(PE_ONE_AT(SINE, "sin", "sines, as in the paper"),
                PE_ONE_AT(COSINE, "cos", "cosines")),
     .level = PE_BASIC, .summary = "the wave that columns beside the line follow"},
    {PE_FIELD(struct time2vec, linear_column),
     PE_CHOICES(PE_ONE_AT(FIRST, "first", "column 0 is the line, as in the paper"),
                PE_ONE_AT(LAST, "last", "the last column is the line")),
     PE_OWN("posenc", CONVENTION, ADVANCED),
     .summary = "the column that is a line: w t + phi without a wave"},
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, PE_COLUMN_ELEMENT, SPATIAL_COLUMNS_DENSE_BOUND)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct time2vec *t = values;

    if (t->w.cols == 1)
        t->activation = -1; /* the only column is the line, which has no activation */
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct time2vec *t = values;

    if (t->w.cols != t->phi.cols)
        pe_fail(errors, PE_CONFLICT, "phi", "must be as many as w, %zu; got %zu", t->w.cols,
                t->phi.cols);
    else if (t->w.cols == 1 && PE_GIVEN(args, struct time2vec, activation))
        pe_fail(errors, PE_CONFLICT, "activation",
                "has no effect on one column, which is the line");
}

static void compute(const void *context, uint64_t row, double *numbers)
{
    numbers[TIME] = pe_positions_at(context, row);
    numbers[ONE] = 1;
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct time2vec *t = values;

    return spatial_columns_plan_ns(2 * (double)t->w.cols);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct time2vec *t = values;
    const size_t count = t->w.cols, line = t->linear_column == FIRST ? 0 : count - 1;
    struct spatial_columns layout = {.points = axes_points_none(NUMBERS),
                                     .pairs = count,
                                     .cols = count};
    double *matrix = pe_build_alloc(build, NUMBERS * count * sizeof *matrix);

    layout.points.rows = pe_positions_count(t->pos);
    layout.points.compute = compute;
    layout.points.context = t->pos;
    for (size_t i = 0; matrix && i < count; i++) {
        matrix[TIME * count + i] = t->w.values[i];
        matrix[ONE * count + i] = t->phi.values[i];
    }
    spatial_columns_put(&layout, 0, 1, t->activation == SINE ? AXES_WAVE_SIN : AXES_WAVE_COS, 0,
                        count);
    spatial_columns_put(&layout, line, 1, AXES_WAVE_ANGLE, line, 1);
    if (matrix && spatial_columns_dense(build, &layout, matrix, false))
        spatial_columns_serve(build, &layout);
}

const struct pe_encoding pe_encoding_time2vec = {
    .name = "time2vec",
    .title = "Time2Vec",
    .formula = "rows[t, 0] = w_0 t + phi_0\n"
               "rows[t, i] = activation(w_i t + phi_i), i = 1 ..",
    .when_to_use =
        "Learned features of continuous time for models of events, sales and sensors: the "
        "waves find periods, the line finds a trend. Fixed frequencies are temporal-cos and "
        "timestep-embedding.",
    .what_goes_wrong =
        "Weights of a port that puts the line last must be sent with linear_column=last, or "
        "all columns are wrong by one. w are radians a unit of time, so that seconds in place "
        "of days need other weights, and large times of the epoch lose their fractions in "
        "float32.",
    .picture = "pos=0:64&w=0.05,0.1,0.2,0.4,0.8,1.6&phi=-1,0,0.5,1,1.5,2",
    .summary = "a learned line and learned waves of time",
    .source = "Kazemi et al. 2019, Time2Vec: Learning a Vector Representation of Time",
    .examples = PE_WORDS("pos=3&w=0.5,1,2&phi=0.1,0,0.3",
                         "pos=0:4&w=1,-2,0.5&phi=0,0.5,1&activation=cos&linear_column=last",
                         "pos=0.5,7&w=2&phi=-1"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct time2vec, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("dim=w"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
