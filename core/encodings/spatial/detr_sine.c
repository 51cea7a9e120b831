/* SPDX-License-Identifier: Apache-2.0
 * detr_sine.c - sines and cosines of the place of every pixel among those that are no padding:
 *
 *     y_e(y,x) = unmasked pixels of column x in rows 0..y    x_e: of row y in columns 0..x
 *     normalized: y_e = (y_e + offset) / (y_e(H-1,x) + eps) scale, x_e alike
 *     t_f = base^(2 floor(f/2) / F), f = 0..F-1    f even: sin(y_e / t_f), odd: cos
 *     channels = [of y | of x]
 *
 * Carion et al. 2020, End-to-End Object Detection with Transformers; facebookresearch/detr
 * models/position_encoding.py; Deformable DETR (offset -0.5), DAB-DETR (base 20), Mask2Former,
 * SAM 2 (whose argument num_pos_feats is twice ours). */
#include <math.h>
#include <string.h>

#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/detr_ladder.h"
#include "core/math/elementary.h"

struct detr_sine {
    struct combine combine; /* detr-sine/apply */
    struct pe_grid grid;
    struct pe_reals mask;
    struct detr_ladder ladder;
    double offset, eps;
    bool normalize;
};

/* Coordinates are quotients: numbers are the two halves of a double-double, of y and of x. */
enum { Y_HIGH, Y_LOW, X_HIGH, X_LOW, NUMBERS };

/* What is done with vectors comes last. */
static const struct pe_param params[] = {
    {PE_FIELD(struct detr_sine, grid), .type = PE_GRID, .optional = true,
     .summary = "rows and columns of an image without padding, 25x34"},
    {PE_FIELD(struct detr_sine, mask), .type = PE_REALS, .matrix = true, .min = 0, .max = 1,
     .summary = "or its pixels, 1 is padding: 0,0,1;0,0,1"},
    DETR_LADDER_ROWS(struct detr_sine, ladder),
    {PE_FIELD(struct detr_sine, normalize), .type = PE_BOOL, .preset = 1,
     .summary = "divide by the last place, so that images of any size span scale"},
    {PE_FIELD(struct detr_sine, offset), .type = PE_REAL, .optional = true, .min = -1000,
     .max = 1000, .summary = "added to places, with normalize: 0; Deformable DETR -0.5"},
    {PE_FIELD(struct detr_sine, eps), .type = PE_REAL, .optional = true, .min = 0, .max = 1,
     .summary = "added to the last place, with normalize: 1e-6"},
    COMBINE_ROWS_ALONE(struct detr_sine),
};

#define ROW_NAMES "grid", "mask", DETR_LADDER_NAMES, "normalize", "offset", "eps"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, false, SPATIAL_COLUMNS_BOUND),
    SPATIAL_COLUMNS_OUTPUT_MAP(names, true, SPATIAL_COLUMNS_BOUND)};

/* ---- rules ------------------------------------------------------------------------------- */

static struct pe_grid grid_of(const struct detr_sine *d)
{
    if (d->mask.rows > 0)
        return (struct pe_grid){(int64_t)d->mask.rows, (int64_t)d->mask.cols};
    return d->grid;
}

static enum pe_status resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct detr_sine *d = values;

    (void)args;
    (void)errors;
    if (!d->normalize)
        return PE_OK;
    detr_ladder_resolve(&d->ladder);
    if (isnan(d->offset))
        d->offset = 0;
    if (isnan(d->eps))
        d->eps = 1e-6;
    return PE_OK;
}

static void check_normalize(const struct detr_sine *d, struct pe_errors *errors)
{
    const struct {
        const char *name;
        double value;
    } only[] = {{"scale", d->ladder.scale}, {"offset", d->offset}, {"eps", d->eps}};

    for (size_t i = 0; !d->normalize && i < PE_LEN(only); i++) {
        if (!isnan(only[i].value))
            pe_fail(errors, PE_CONFLICT, only[i].name, "has no effect with normalize=0");
    }
}

/* Some row or column is all padding, so that its last place is 0. */
static bool all_padding(const struct pe_reals *mask)
{
    for (size_t line = 0; line < mask->rows + mask->cols; line++) {
        const bool across = line < mask->rows;
        const size_t count = across ? mask->cols : mask->rows;
        const double *first = mask->values + (across ? line * mask->cols : line - mask->rows);
        size_t padded = 0;

        while (padded < count && first[padded * (across ? 1 : mask->cols)] != 0)
            padded++;
        if (padded == count)
            return true;
    }
    return false;
}

static enum pe_status check(const struct pe_args *args, const void *values,
                            struct pe_errors *errors)
{
    const struct detr_sine *d = values;
    const size_t cells = d->mask.rows * d->mask.cols;

    (void)args;
    if (d->grid.height > 0 && cells > 0)
        return pe_fail(errors, PE_CONFLICT, "grid",
                       "cannot be given together with mask, which has rows and columns itself");
    if (d->grid.height == 0 && cells == 0)
        return pe_fail(errors, PE_MISSING_PARAMETER, "grid",
                       "or mask is required: rows and columns, or which pixels are padding");
    for (size_t i = 0; i < cells; i++) {
        if (d->mask.values[i] != 0 && d->mask.values[i] != 1)
            return pe_fail(errors, PE_BAD_VALUE, "mask", "must be zeros and ones; got %g",
                           d->mask.values[i]);
    }
    check_normalize(d, errors);
    if (d->normalize && d->eps < 1e-12 && cells > 0 && all_padding(&d->mask))
        pe_fail(errors, PE_OUT_OF_RANGE, "eps",
                "must be at least 1e-12 with a row or column that is all padding: it divides");
    return errors->count ? errors->at[0].status : PE_OK;
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct detr_sine *d = values;
    const struct pe_grid grid = grid_of(d);

    (void)args;
    return spatial_columns_shape(output, 2 * (uint64_t)d->ladder.num_pos_feats, &grid, dims);
}

/* ---- places ------------------------------------------------------------------------------ */

struct places {
    const struct detr_sine *values;
    uint64_t height, width;
    uint32_t *down, *across; /* of every pixel; NULL without a mask */
};

static void take_place(const struct detr_sine *d, double count, double last, double *numbers)
{
    struct split place = {count, 0};

    if (d->normalize)
        place =
            elementary_divide(elementary_sum(count, d->offset), elementary_sum(last, d->eps));
    numbers[0] = place.hi;
    numbers[1] = place.lo;
}

static void compute(const void *context, uint64_t row, double *numbers)
{
    const struct places *p = context;
    const uint64_t y = row / p->width, x = row % p->width;
    double down = (double)(y + 1), last_down = (double)p->height;
    double across = (double)(x + 1), last_across = (double)p->width;

    if (p->down) {
        down = p->down[row];
        last_down = p->down[(p->height - 1) * p->width + x];
        across = p->across[row];
        last_across = p->across[(y + 1) * p->width - 1];
    }
    take_place(p->values, down, last_down, numbers + Y_HIGH);
    take_place(p->values, across, last_across, numbers + X_HIGH);
}

static struct places *places_of(struct pe_build *build, const struct detr_sine *d)
{
    struct places *p = pe_build_alloc(build, sizeof *p);
    const struct pe_grid grid = grid_of(d);
    const size_t width = (size_t)grid.width, cells = d->mask.rows * d->mask.cols;

    if (!p)
        return NULL;
    *p = (struct places){d, (uint64_t)grid.height, (uint64_t)grid.width, NULL, NULL};
    if (cells == 0)
        return p;
    p->down = pe_build_alloc(build, cells * sizeof *p->down);
    p->across = pe_build_alloc(build, cells * sizeof *p->across);
    if (!p->down || !p->across)
        return NULL;
    for (size_t i = 0; i < cells; i++) {
        const uint32_t here = d->mask.values[i] == 0;

        p->down[i] = here + (i >= width ? p->down[i - width] : 0);
        p->across[i] = here + (i % width > 0 ? p->across[i - 1] : 0);
    }
    return p;
}

/* Pairs of y turn by both halves of y, those of x by both of x; the rest of the matrix of
 * frequencies is zero. */
static bool take_frequencies(struct pe_build *build, const struct detr_sine *d,
                             struct spatial_columns *wanted)
{
    const size_t half = wanted->pairs / 2, count = NUMBERS * wanted->pairs;
    struct axes_ladder ladders[NUMBERS];

    wanted->freq = pe_build_alloc(build, count * sizeof *wanted->freq);
    wanted->sign = pe_build_alloc(build, count);
    if (!wanted->freq || !wanted->sign)
        return false;
    memset(wanted->sign, 1, count);
    for (size_t a = 0; a < NUMBERS; a++) {
        const bool across = a >= X_HIGH;

        ladders[a] =
            detr_ladder_of(&d->ladder, a, a * wanted->pairs + (across ? half : 0), across);
    }
    return axes_ladder_build(wanted->freq, ladders, NUMBERS, NULL);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct detr_sine *d = values;

    (void)args;
    return spatial_columns_plan_ns(2 * (double)d->ladder.num_pos_feats);
}

static enum pe_status prepare(struct pe_build *build, const void *values,
                              struct pe_errors *errors)
{
    const struct detr_sine *d = values;
    const size_t feats = (size_t)d->ladder.num_pos_feats, half = detr_ladder_pairs(&d->ladder);
    struct spatial_columns wanted = {.points = axes_points_none(NUMBERS),
                                     .pairs = 2 * half,
                                     .cols = 2 * feats};
    const struct places *places = places_of(build, d);
    struct axes_columns *columns = NULL;
    struct axes_column *column;

    if (places && take_frequencies(build, d, &wanted)) {
        wanted.points.rows = places->height * places->width;
        wanted.points.compute = compute;
        wanted.points.context = places;
        columns = spatial_columns_new(build, &wanted, &column);
    }
    if (columns) {
        detr_ladder_put(&d->ladder, column, 0);
        detr_ladder_put(&d->ladder, column + feats, half);
    }
    return spatial_columns_serve(build, columns, (uint64_t)grid_of(d).width, errors);
}

const struct pe_encoding pe_encoding_detr_sine = {
    .name = "detr-sine",
    .summary = "sines and cosines of the place of every pixel that is no padding (DETR)",
    .source = "Carion et al. 2020, End-to-End Object Detection with Transformers; "
              "facebookresearch/detr models/position_encoding.py; Deformable DETR; DAB-DETR",
    .examples = PE_WORDS("grid=2x3&num_pos_feats=4", "mask=0,0,1;0,0,1&num_pos_feats=4",
                         "grid=2x3&num_pos_feats=4&normalize=0",
                         "grid=4x4&num_pos_feats=8&offset=-0.5&out=rows",
                         "grid=4x4&num_pos_feats=8&base=20&base_w=10"),
    .family = PE_SPATIAL,
    .revision = 1,
    .kind = PE_POINTWISE,
    .params = params,
    .param_count = PE_LEN(params) - COMBINE_COUNT_ALONE,
    .args_size = sizeof(struct detr_sine),
    .outputs = outputs,
    .output_count = PE_LEN(outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};

static const struct pe_output apply_outputs[] = {
    COMBINE_OUTPUT(PE_WORDS(ROW_NAMES, COMBINE_NAMES_ALONE))};

const struct pe_encoding pe_encoding_detr_sine_apply = {
    .name = "detr-sine/apply",
    .summary = "features with their sinusoids added, put beside or multiplied (DETR)",
    .source = "Carion et al. 2020; facebookresearch/detr models/transformer.py",
    .examples = PE_WORDS("grid=1x1&num_pos_feats=2&x=1,2,3,4",
                         "mask=0&num_pos_feats=2&x=1,2&combine=concat"),
    .family = PE_SPATIAL,
    .revision = 1,
    COMBINE_HOOKS(pe_encoding_detr_sine),
    .params = params,
    .param_count = PE_LEN(params),
    .args_size = sizeof(struct detr_sine),
    .outputs = apply_outputs,
    .output_count = PE_LEN(apply_outputs),
    .plan_ns = plan_ns,
};
