/* SPDX-License-Identifier: Apache-2.0
 * detr_sine.c - sines and cosines of the place of every pixel among the unpadded pixels:
 *
 *     y_e(y,x) = unmasked pixels of column x in rows 0..y    x_e: of row y in columns 0..x
 *     normalized: y_e = (y_e + offset) / (y_e(H-1,x) + eps) scale, x_e by x_e(y,W-1)
 *     t_f = base^(2 floor(f/2) / F), f = 0..F-1    f even: sin(y_e / t_f), odd: cos
 *     channels = [of y | of x]
 *
 * Carion et al. 2020, End-to-End Object Detection with Transformers; facebookresearch/detr
 * models/position_encoding.py; Deformable DETR (offset -0.5), DAB-DETR (base 20), Mask2Former,
 * SAM 2 (whose argument num_pos_feats is twice ours). */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/detr_places.h"

struct detr_sine {
    struct combine combine; /* parameters of detr-sine/apply */
    struct detr_places places;
    struct detr_ladder ladder;
};

enum { AXES = 2 };

/* The parameters of the /apply twin come last. */
static const struct pe_param params[] = {
    DETR_PLACES_ROWS_PIXELS(struct detr_sine, places,
                            "pixels of the image as rows of 1 (padding) and 0: 0,0,1;0,0,1"),
    DETR_LADDER_ROWS(struct detr_sine, ladder, "normalize"),
    DETR_PLACES_ROWS_NORMALIZE(struct detr_sine, places),
    COMBINE_ROWS_ALONE(struct detr_sine),
};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(NULL, false, PE_COLUMN_AXES_WAVE, SPATIAL_COLUMNS_BOUND),
    SPATIAL_COLUMNS_OUTPUT_MAP(NULL, true, SPATIAL_COLUMNS_BOUND)};

static void resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct detr_sine *d = values;

    detr_places_resolve(&d->places, &d->ladder);
}

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct detr_sine *d = values;

    detr_places_check(&d->places, 1, AXES, errors);
}

static size_t shape(const struct pe_args *args, const void *values, size_t output,
                    uint64_t dims[PE_MAX_RANK])
{
    const struct detr_sine *d = values;
    const struct pe_grid grid = detr_places_grid(&d->places, 1);

    return spatial_columns_shape(output, 2 * (uint64_t)d->ladder.num_pos_feats, &grid, dims);
}

static double plan_ns(const struct pe_args *args, const void *values)
{
    const struct detr_sine *d = values;

    return spatial_columns_plan_ns(2 * (double)d->ladder.num_pos_feats);
}

static void prepare(struct pe_build *build, const void *values)
{
    const struct detr_sine *d = values;
    const size_t feats = (size_t)d->ladder.num_pos_feats, half = detr_ladder_pairs(&d->ladder);
    const struct detr_ladder *const ladders[AXES] = {&d->ladder, &d->ladder};
    struct spatial_columns wanted = {.cols = 2 * feats};
    struct axes_columns *columns = NULL;
    struct axes_column *column;

    if (detr_places_points(build, &d->places, 1, AXES, &wanted.points) &&
        detr_places_frequencies(build, ladders, AXES, &wanted))
        columns = spatial_columns_new(build, &wanted, &column);
    if (columns) {
        detr_ladder_put(&d->ladder, column, 0);
        detr_ladder_put(&d->ladder, column + feats, half);
    }
    spatial_columns_fill(build, columns, (uint64_t)detr_places_grid(&d->places, 1).width);
}

const struct pe_encoding pe_encoding_detr_sine = {
    .name = "detr-sine",
    .title = "DETR: sinusoids of unpadded pixels",
    .formula =
        "y_e = unpadded pixels of the column up to this row, x_e = those of the row up "
        "to this column\n"
        "c = scale (c_e + offset) / (c_e of the last + eps), or c = c_e without normalize\n"
        "channel f of y, then of x: sin (even f) or cos (odd f) of c / base^(2 "
        "floor(f/2) / num_pos_feats)",
    .when_to_use =
        "Feature maps of detectors and segmenters: DETR, Deformable DETR (offset=-0.5), "
        "DAB-DETR (base=20), Mask2Former, SAM 2. Videos take detr-sine3d, and queries "
        "with boxes detr-query-sine.",
    .what_goes_wrong =
        "In padding_mask 1 means padding, while an attention mask has 1 for what is "
        "seen. num_pos_feats is half the number of channels here and in DETR, but all "
        "of them in SAM 2. The class of DETR does not normalize unless it is told to, "
        "as its models do.",
    .picture =
        "padding_mask=0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;"
        "0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;"
        "0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;"
        "0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;"
        "0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;0,0,0,0,0,0,0,0,0,0,0,0,1,1,1,1;"
        "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1&num_pos_feats=16",
    .summary = "sines and cosines of the place of every pixel that is no padding (DETR)",
    .source = "Carion et al. 2020, End-to-End Object Detection with Transformers; "
              "facebookresearch/detr models/position_encoding.py; Deformable DETR; DAB-DETR",
    .examples = PE_WORDS("grid=2x3&num_pos_feats=4", "padding_mask=0,0,1;0,0,1&num_pos_feats=4",
                         "grid=2x3&num_pos_feats=4&normalize=0",
                         "grid=4x4&num_pos_feats=8&offset=-0.5&out=rows",
                         "grid=4x4&num_pos_feats=8&base=20&base_w=10"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct detr_sine, params, 0, PE_LEN(params) - COMBINE_COUNT_ALONE, outputs),
    .resolve = resolve,
    .check = check,
    .shape = shape,
    .plan_ns = plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_detr_sine_apply = {
    .name = "detr-sine/apply",
    .title = "DETR: features with the sinusoids of their pixels",
    .picture = "grid=2x2&num_pos_feats=4&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;0,0,1,0,0,0,0,0;"
               "0,0,0,1,0,0,0,0",
    .summary = "features with their sinusoids added, put beside or multiplied (DETR)",
    .source = "Carion et al. 2020; facebookresearch/detr models/transformer.py",
    .examples = PE_WORDS("grid=1x1&num_pos_feats=2&x=1,2,3,4",
                         "padding_mask=0&num_pos_feats=2&x=1,2&combine=concat"),
    COMBINE_APPLY(struct detr_sine, pe_encoding_detr_sine, PE_SPATIAL, 0, NULL),
};
