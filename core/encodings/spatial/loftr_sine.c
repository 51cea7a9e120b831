/* SPDX-License-Identifier: Apache-2.0
 * loftr_sine.c - sine and cosine of column, sine and cosine of row, in turn, for feature maps:
 *
 *     w_k = base^(-k / (dim/4)), k = 0..dim/4-1
 *     channels 4k..4k+3 = sin(x w_k), cos(x w_k), sin(y w_k), cos(y w_k)
 *
 * x and y count from 1. The released outdoor and indoor weights were trained with an error in
 * the order of operations that made w_k = e^(-2k) (bug_compat). Sun et al. 2021, LoFTR;
 * zju3dv/LoFTR src/loftr/utils/position_encoding.py, temp_bug_fix. */
#include "core/encodings/absolute/combine.h"
#include "core/encodings/spatial/spatial_columns.h"

struct loftr_sine {
    struct combine combine; /* parameters of loftr-sine/apply */
    int64_t dim;
    struct pe_grid grid;
    double base;
    bool bug_compat;
};

/* dim comes first, since the /apply twin leaves it out; the twin's parameters come last. */
static const struct pe_param params[] = {
    SPATIAL_COLUMNS_ROW_DIM(struct loftr_sine, 4),
    SPATIAL_COLUMNS_ROW_GRID(struct loftr_sine),
    SPATIAL_COLUMNS_ROW_BASE(struct loftr_sine, "!bug_compat"),
    {PE_FIELD(struct loftr_sine, bug_compat), .type = PE_BOOL,
     PE_OWN("posenc", CONVENTION, BASIC),
     .summary =
         "the frequencies exp(-2k) of LoFTR's released weights, in place of those of base"},
    COMBINE_ROWS(struct loftr_sine),
};

#define ROW_NAMES "grid", "dim", "base", "bug_compat"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, false, PE_COLUMN_AXES_WAVE, SPATIAL_COLUMNS_BOUND),
    SPATIAL_COLUMNS_OUTPUT_MAP(names, true, SPATIAL_COLUMNS_BOUND)};

static void lay_out(const void *values, struct spatial_columns *layout)
{
    const struct loftr_sine *l = values;
    const size_t quarter = (size_t)l->dim / 4;
    const uint64_t sides[2] = {(uint64_t)l->grid.height, (uint64_t)l->grid.width};

    layout->points = axes_points_grid(2, sides);
    layout->cols = 4 * quarter;
    layout->width = sides[1];
    for (size_t axis = 0; axis < 2; axis++) {
        const size_t at = axis == 0 ? 2 : 0; /* the column, axis 1, comes first */
        struct axes_ladder *ladder =
            spatial_columns_ladder(layout, axis, quarter, l->base, (double)quarter);

        layout->points.first[axis] = 1;
        if (l->bug_compat) {
            ladder->kind = AXES_NATURAL;
            ladder->power = -2;
            ladder->of = 1;
        }
        spatial_columns_put(layout, at, 4, AXES_WAVE_SIN, axis * quarter, quarter);
        spatial_columns_put(layout, at + 1, 4, AXES_WAVE_COS, axis * quarter, quarter);
    }
}

const struct pe_encoding pe_encoding_loftr_sine = {
    .name = "loftr-sine",
    .title = "LoFTR: sinusoids of column and row in turn",
    .formula = "w_k = base^(-k / (dim/4)), k = 0..dim/4-1; with bug_compat w_k = exp(-2k)\n"
               "channels 4k..4k+3 = sin(x w_k), cos(x w_k), sin(y w_k), cos(y w_k), where x "
               "and y count from 1",
    .when_to_use =
        "Feature maps of LoFTR and the image matchers built on it. EfficientLoFTR turns "
        "queries and keys instead (rope2d-loftr), and detectors take detr-sine.",
    .what_goes_wrong =
        "The released indoor and outdoor weights were trained with an error of operator "
        "precedence: they need bug_compat=1, and newer weights the default. x and y "
        "count from 1, and the column comes before the row.",
    .picture = "grid=16x24&dim=32",
    .summary = "sines and cosines of column and row in turn, for feature maps (LoFTR)",
    .source = "Sun et al. 2021, LoFTR; zju3dv/LoFTR src/loftr/utils/position_encoding.py",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=4x4&dim=16&bug_compat=1",
                         "grid=2x3&dim=8&out=rows&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct loftr_sine, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .lengths = PE_WORDS("pos=grid", "channel=dim", "h=grid.0", "w=grid.1"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_loftr_sine_apply = {
    .name = "loftr-sine/apply",
    .title = "LoFTR: features with their sinusoids",
    .picture = "grid=2x2&x=1,0,0,0,0,0,0,0;0,1,0,0,0,0,0,0;0,0,1,0,0,0,0,0;0,0,0,1,0,0,0,0",
    .summary = "features with their sinusoids added, put beside or multiplied (LoFTR)",
    .source = "Sun et al. 2021, LoFTR; zju3dv/LoFTR position_encoding.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4", "grid=1x1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct loftr_sine, pe_encoding_loftr_sine, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
