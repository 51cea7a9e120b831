/* SPDX-License-Identifier: Apache-2.0
 * rope_nd.c - rotations by frequencies that the client gives, dense or not:
 *
 *     angle_i = sum over axes a of F[a,i] pos_a
 *
 * F has a row an axis and a column a pair, head after head. coord_range=mochi centres rows and
 * columns and scales them by sqrt(192^2 / (H W)), as Mochi does for its learned F (genmo
 * mochi_preview rope_mixed.py). */
#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_dense.h"
#include "core/encodings/spatial/spatial_source.h"

enum { COORDS_PLAIN, COORDS_MOCHI };

struct rope_nd {
    struct spatial spatial;
    struct spatial_source source;
    struct pe_reals freqs;
    int coord_range;
};

static const struct pe_choice ranges[] = {
    PE_ONE_AT(COORDS_PLAIN, "plain", "cells counted from 0 on each axis"),
    PE_ONE_AT_WITH(
        COORDS_MOCHI, "mochi",
        "rows and columns from the middle, times sqrt(192^2 / (rows * columns)): Mochi",
        "grid_sizes=2,2,2&freqs=1,.5,.25,.12;.5,-1,.12,-.25;.3,.2,-.1,.05"),
    {NULL, NULL, NULL, NULL, NULL}};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope_nd, freqs),                                                          \
     .type = PE_REALS,                                                                         \
     .required = true,                                                                         \
     .matrix = true,                                                                           \
     .min = -1e18,                                                                             \
     .max = 1e18,                                                                              \
     .unit = "radians",                                                                        \
     .summary =                                                                                \
         "frequencies F in radians a unit: a row an axis, a column a pair, head after head, "  \
         "as 1,0;0,1"},                                                                        \
        {PE_FIELD(struct rope_nd, coord_range), .type = PE_CHOICE, .choices = ranges,          \
         .when = "grid_sizes"},                                                                \
        SPATIAL_SOURCE_ROWS(struct rope_nd, source),                                           \
        SPATIAL_ROW_PAIRING(struct rope_nd, spatial, SPATIAL_ADJACENT)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_WIDTH(struct rope_nd, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS,
    VECTORS_ROW_HEAD_AXIS(struct rope_nd, spatial.vectors),
    SPATIAL_APPLY_ROWS(struct rope_nd, spatial),
};

#define NAMES "freqs", "coord_range", SPATIAL_SOURCE_NAMES, "pairing"
static const char *const freq_names[] = {"freqs", NULL};

static const struct pe_output outputs[] = {
    DENSE_OUTPUT_ROWS(NULL, freq_names, DENSE_BOUND, "0.501 ULP; f64 exact")};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES, "head_axis")};

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope_nd *r = values;
    const size_t axes = r->freqs.rows;

    if (axes > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, "freqs", "must have at most %d rows; got %zu", AXES_MAX,
                axes);
    else if (spatial_dense_check_heads(&r->spatial, r->freqs.cols, errors) || !wants_points)
        return;
    else if (r->coord_range == COORDS_MOCHI && (axes != 3 || r->source.grid_sizes.cols != 3))
        pe_fail(errors, PE_CONFLICT, "coord_range",
                "mochi goes with three axes and grid_sizes=frames,rows,columns");
    else
        spatial_source_check(&r->source, axes, errors);
}

/* Places rows at sqrt(192^2 / (H W)) (row + 1/2 - H/2); twice the last factor is whole. */
static void place_mochi(struct axes_points *points)
{
    const double area = (double)points->count[1] * (double)points->count[2];

    for (size_t a = 1; a < 3; a++) {
        points->first[a] = 1 - (double)points->count[a];
        points->step[a] = 2;
        points->scale[a] =
            (struct axes_scale){96, area, area, 1}; /* 192 / (2 area) sqrt(area) */
    }
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope_nd *r = values;
    struct spatial_layout layout = {.points = spatial_source_points(&r->source, r->freqs.rows),
                                    .pairs = r->freqs.cols,
                                    .heads = spatial_dense_heads(&r->spatial, r->freqs.cols),
                                    .pairing = r->spatial.pairing,
                                    .width = r->spatial.width};

    if (r->coord_range == COORDS_MOCHI && r->source.grid_sizes.cols == 3)
        place_mochi(&layout.points);
    return layout;
}

static const double *frequencies(struct pe_build *build, const void *values)
{
    return ((const struct rope_nd *)values)->freqs.values;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .frequencies = frequencies,
    .part = offsetof(struct rope_nd, spatial),
    .multiple = 2,
    .rows = "pos",
};

const struct pe_encoding pe_encoding_rope_nd = {
    .name = "rope-nd",
    .title = "Rotary embedding by given frequencies",
    .formula =
        "angle of pair i = freqs[0][i] pos_0 + freqs[1][i] pos_1 + ..., a term for each axis",
    .when_to_use =
        "Frequencies that are learned or computed elsewhere, for any number of axes: every "
        "rotary embedding is a case of it. Mochi has three axes and coord_range=mochi. "
        "rope2d-mixed is the case of images, rope-axes that of one axis a pair.",
    .what_goes_wrong =
        "Frequencies are radians for a unit of each axis, without 2 pi and without a base. "
        "Axes come in the order of the rows of freqs: of three axes time, row, column. Mochi "
        "measures rows and columns from the middle and scales them by the area of the grid, "
        "but counts frames from 0.",
    .picture =
        "grid_sizes=8,8&freqs=1,.5,.25,.12,.06,.03,.015,.008;.5,-1,.12,-.25,.03,-.06,.008,"
        "-.015",
    .summary = "rotary embedding by frequencies of your own, for any number of axes",
    .source = "the general form of axial and mixed rotary embeddings; Mochi: genmo "
              "mochi_preview rope_mixed.py",
    .examples = PE_WORDS("pos=0:3&freqs=1,0.1;0.5,-2", "ids=2,3&freqs=1,0;0,1&out=angles",
                         "grid_sizes=2,3,4&coord_range=mochi&freqs=.1,.2;.3,.4;-.5,.6&"
                         "width=full",
                         "freqs=1,2&out=frequencies"),
    SPATIAL_DENSE_HOOKS(struct rope_nd, kind),
};

const struct pe_encoding pe_encoding_rope_nd_apply = {
    .name = "rope-nd/apply",
    .title = "Vectors turned by given frequencies",
    .picture = "grid_sizes=2,4&freqs=1,.5,.25,.12;.5,-1,.12,-.25" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by frequencies of your own, for any number of axes",
    .source = "the general form of axial and mixed rotary embeddings; Mochi: genmo "
              "mochi_preview rope_mixed.py",
    .examples = PE_WORDS(
        "pos=3&x=1,2,3,4&freqs=1,0.1;0.5,-2", "ids=2,3;1,0&x=1,2;3,4&freqs=1;0.5&inverse=1",
        "grid_sizes=1,1,2&coord_range=mochi&freqs=.1,.2;.3,.4;-.5,.6&x=1,2,3,4;5,6,7,8"),
    SPATIAL_APPLY_HOOKS(struct rope_nd, apply_params, apply_outputs, kind),
};
