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
    SPATIAL_COLUMNS_ROW_BASE(struct loftr_sine),
    {PE_FIELD(struct loftr_sine, bug_compat), .type = PE_BOOL,
     .summary = "frequencies exp(-2k) of the released weights"},
    COMBINE_ROWS(struct loftr_sine),
};

#define ROW_NAMES "grid", "dim", "base", "bug_compat"
static const char *const names[] = {ROW_NAMES, NULL};

static const struct pe_output outputs[] = {
    SPATIAL_COLUMNS_OUTPUT_ROWS(names, false, SPATIAL_COLUMNS_BOUND),
    SPATIAL_COLUMNS_OUTPUT_MAP(names, true, SPATIAL_COLUMNS_BOUND)};

static void check(const struct pe_args *args, const void *values, struct pe_errors *errors)
{
    const struct loftr_sine *l = values;

    if (l->bug_compat && PE_GIVEN(args, struct loftr_sine, base) && l->base != 10000)
        pe_fail(errors, PE_CONFLICT, "base",
                "has no effect with bug_compat, whose frequencies are exp(-2k)");
}

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
    .summary = "sines and cosines of column and row in turn, for feature maps (LoFTR)",
    .source = "Sun et al. 2021, LoFTR; zju3dv/LoFTR src/loftr/utils/position_encoding.py",
    .examples = PE_WORDS("grid=2x3&dim=8", "grid=4x4&dim=16&bug_compat=1",
                         "grid=2x3&dim=8&out=rows&base=100"),
    .family = PE_SPATIAL,
    PE_TABLES_PART(struct loftr_sine, params, 0, PE_LEN(params) - COMBINE_COUNT, outputs),
    .check = check,
    .lengths = PE_WORDS("pos=grid", "channel=dim", "h=grid.0", "w=grid.1"),
    SPATIAL_COLUMNS_HOOKS(lay_out),
};

const struct pe_encoding pe_encoding_loftr_sine_apply = {
    .name = "loftr-sine/apply",
    .summary = "features with their sinusoids added, put beside or multiplied (LoFTR)",
    .source = "Sun et al. 2021, LoFTR; zju3dv/LoFTR position_encoding.py",
    .examples = PE_WORDS("grid=1x1&x=1,2,3,4", "grid=1x1&x=1,2&combine=concat&dim=4"),
    COMBINE_APPLY(struct loftr_sine, pe_encoding_loftr_sine, PE_SPATIAL, 1,
                  PE_WORDS(ROW_NAMES, COMBINE_NAMES)),
};
