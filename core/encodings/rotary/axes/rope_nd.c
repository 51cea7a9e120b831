/* SPDX-License-Identifier: Apache-2.0
 * rope_nd.c - rotations by frequencies that the client gives, dense or not:
 *
 *     angle_i = sum over axes a of F[a,i] pos_a
 *
 * F has a row an axis and a column a pair, head after head. coords=mochi centres rows and
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
    int coords;
};

static const struct pe_choice coords_choices[] = {
    [COORDS_PLAIN] = {"plain", NULL, "as they are given", NULL},
    [COORDS_MOCHI] = {"mochi", NULL, "grid_sizes: rows and columns from the centre, scaled",
                      NULL},
    {NULL, NULL, NULL, NULL}};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope_nd, freqs),                                                          \
     .type = PE_REALS,                                                                         \
     .required = true,                                                                         \
     .matrix = true,                                                                           \
     .min = -1e18,                                                                             \
     .max = 1e18,                                                                              \
     .summary = "F: a row an axis, a column a pair: 1,0;0,1"},                                 \
        {PE_FIELD(struct rope_nd, coords), .type = PE_CHOICE, .choices = coords_choices,       \
         .summary = "grid_sizes: what the coordinates are"},                                   \
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

#define NAMES "freqs", "coords", SPATIAL_SOURCE_NAMES, "pairing"
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
    else if (r->coords == COORDS_MOCHI && (axes != 3 || r->source.grid_sizes.cols != 3))
        pe_fail(errors, PE_CONFLICT, "coords",
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
        points->scale[a] = (struct axes_scale){96, area, area}; /* 192 / (2 area) sqrt(area) */
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

    if (r->coords == COORDS_MOCHI && r->source.grid_sizes.cols == 3)
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
    .summary = "rotary embedding by frequencies of your own, for any number of axes",
    .source = "the general form of axial and mixed rotary embeddings; Mochi: genmo "
              "mochi_preview rope_mixed.py",
    .examples = PE_WORDS("pos=0:3&freqs=1,0.1;0.5,-2", "ids=2,3&freqs=1,0;0,1&out=angles",
                         "grid_sizes=2,3,4&coords=mochi&freqs=.1,.2;.3,.4;-.5,.6&width=full",
                         "freqs=1,2&out=frequencies"),
    SPATIAL_DENSE_HOOKS(struct rope_nd, kind),
};

const struct pe_encoding pe_encoding_rope_nd_apply = {
    .name = "rope-nd/apply",
    .summary = "vectors rotated by frequencies of your own, for any number of axes",
    .source = "the general form of axial and mixed rotary embeddings; Mochi: genmo "
              "mochi_preview rope_mixed.py",
    .examples = PE_WORDS(
        "pos=3&x=1,2,3,4&freqs=1,0.1;0.5,-2", "ids=2,3;1,0&x=1,2;3,4&freqs=1;0.5&inverse=1",
        "grid_sizes=1,1,2&coords=mochi&freqs=.1,.2;.3,.4;-.5,.6&x=1,2,3,4;5,6,7,8"),
    SPATIAL_APPLY_HOOKS(struct rope_nd, apply_params, apply_outputs, kind),
};
