/* SPDX-License-Identifier: Apache-2.0
 * time2vec.c - a learned line and learned waves of time:
 *
 *     y_0 = w_0 t + phi_0      y_i = activation(w_i t + phi_i), i = 1..k
 *
 * with linear=last the line is the last column. Kazemi et al. 2019, Time2Vec: Learning a Vector
 * Representation of Time. */
#include "core/encodings/spatial/spatial_columns.h"

enum { SINE, COSINE };
enum { FIRST, LAST };
enum { TIME, ONE, NUMBERS };

struct time2vec {
    const struct pe_positions *pos;
    struct pe_reals w, phi;
    int activation, linear;
};

static const struct pe_choice activations[] = {[SINE] = {"sin", NULL, "the paper", NULL},
                                               [COSINE] = {"cos", NULL, "cosines", NULL},
                                               {NULL, NULL, NULL, NULL}};

static const struct pe_choice lines[] = {[FIRST] = {"first", NULL, "column 0: the paper", NULL},
                                         [LAST] = {"last", NULL, "the last column", NULL},
                                         {NULL, NULL, NULL, NULL}};

static const struct pe_param params[] = {
    PE_ROW_POS(struct time2vec, true),
    {PE_FIELD(struct time2vec, w), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .unit = "radians", .summary = "frequencies, a column each"},
    {PE_FIELD(struct time2vec, phi), .type = PE_REALS, .required = true, .min = -1e18,
     .max = 1e18, .unit = "radians", .summary = "phases, as many"},
    {PE_FIELD(struct time2vec, activation), .type = PE_CHOICE, .choices = activations,
     .summary = "the wave"},
    {PE_FIELD(struct time2vec, linear), .type = PE_CHOICE, .choices = lines,
     .summary = "which column has no wave"},
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, true, SPATIAL_COLUMNS_DENSE_BOUND)};

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
    const size_t count = t->w.cols, line = t->linear == FIRST ? 0 : count - 1;
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
    .summary = "a learned line and learned waves of time",
    .source = "Kazemi et al. 2019, Time2Vec: Learning a Vector Representation of Time",
    .examples = PE_WORDS("pos=3&w=0.5,1,2&phi=0.1,0,0.3",
                         "pos=0:4&w=1,-2,0.5&phi=0,0.5,1&activation=cos&linear=last",
                         "pos=0.5,7&w=2&phi=-1"),
    .family = PE_ABSOLUTE,
    PE_TABLES(struct time2vec, params, outputs),
    .resolve = resolve,
    .check = check,
    .lengths = PE_WORDS("dim=w"),
    .plan_ns = plan_ns,
    .prepare = prepare,
};
