/* SPDX-License-Identifier: Apache-2.0
 * rope2d_dinov3.c - rotations by the centres of patches in [-1, 1]:
 *
 *     period_i = base^(4i/d), or min (max/min)^(i/(d/4-1)), i = 0..d/4-1
 *     y = 2 (row + 1/2) / N - 1             angle = 2 pi y / period_i
 *
 * Pairs 0..d/4-1 turn by y, the next by x. N is the side itself, or the larger or smaller of
 * both. Training moves coordinates by numbers that it draws, which are parameters here:
 * (y + shift) jitter rescale; timm counts rows from grid_offset. Checkpoints hold periods in
 * bfloat16. Simeoni et al. 2025, DINOv3, layers/rope_position_encoding.py; timm
 * layers/pos_embed_sincos.py RotaryEmbeddingDinoV3. */
#include <math.h>

#include "core/encodings/spatial/spatial_apply.h"
#include "core/math/number/elementary.h"

struct rope2d_dinov3 {
    struct spatial spatial;
    double min_period, max_period, rescale_coords, grid_offset;
    struct pe_reals shift_coords, jitter_coords;
    int normalize_coords, period_dtype;
};

enum { NORMALIZE_SEPARATE, NORMALIZE_MAX, NORMALIZE_MIN };

static const struct pe_choice normalizations[] = {
    PE_ONE_AT(NORMALIZE_SEPARATE, "separate", "height by height and width by width"),
    PE_ONE_AT(NORMALIZE_MAX, "max", "both by the longer side"),
    PE_ONE_AT(NORMALIZE_MIN, "min", "both by the shorter side"),
    {NULL, NULL, NULL, NULL, NULL}};

enum { PERIODS_EXACT, PERIODS_BF16 };

static const struct pe_choice period_dtypes[] = {
    PE_ONE_AT(PERIODS_EXACT, "exact", "periods as real numbers"),
    [PERIODS_BF16] = {"bf16", PE_WORDS("bfloat16"),
                      "each period rounded to bfloat16, as the published checkpoints hold them",
                      NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* Declares a row's and a column's number that training draws. */
#define DRAWN(FIELD, LEAST, SUMMARY)                                                           \
    {                                                                                          \
        PE_FIELD(struct rope2d_dinov3, FIELD),                                                 \
            .type = PE_REALS, .min = (LEAST), .max = 1e9,                                      \
            PE_OWN("facebookresearch/dinov3", POSITIONS, ADVANCED), .summary = (SUMMARY)       \
    }

#define ROWS                                                                                   \
    SPATIAL_ROW_GRID(struct rope2d_dinov3, spatial),                                           \
        {PE_FIELD_OF(struct rope2d_dinov3, spatial, base),                                     \
         .type = PE_REAL,                                                                      \
         .min = 1,                                                                             \
         .max = 1e18,                                                                          \
         .preset = 100,                                                                        \
         .when = "!min_period",                                                                \
         .summary = "base of the geometric periods (rope_theta)"},                             \
        {PE_FIELD(struct rope2d_dinov3, min_period),                                           \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = 1e-9,                                                                          \
         .max = 1e18,                                                                          \
         PE_OWN("facebookresearch/dinov3", FREQUENCIES, ADVANCED),                             \
         .summary = "shortest period, in units of the coordinates; takes the place of base"},  \
        {PE_FIELD(struct rope2d_dinov3, max_period),                                           \
         .type = PE_REAL,                                                                      \
         .required = true,                                                                     \
         .min = 1e-9,                                                                          \
         .max = 1e18,                                                                          \
         .when = "min_period",                                                                 \
         PE_OWN("facebookresearch/dinov3", FREQUENCIES, ADVANCED),                             \
         .summary = "longest period, in units of the coordinates"},                            \
        {PE_FIELD(struct rope2d_dinov3, normalize_coords), .type = PE_CHOICE,                  \
         .choices = normalizations, PE_OWN("facebookresearch/dinov3", CONVENTION, BASIC),      \
         .summary = "the side of the grid that rows and columns are divided by"},              \
        {PE_FIELD(struct rope2d_dinov3, period_dtype), .type = PE_CHOICE,                      \
         .choices = period_dtypes, PE_OWN("posenc", ARITHMETIC, BASIC),                        \
         .summary = "dtype to which the periods are rounded before angles are computed"},      \
        {PE_FIELD(struct rope2d_dinov3, grid_offset), .type = PE_REAL, .min = -65536,          \
         .max = 65536,                                                                         \
         .summary = "added to the number of each row and column before they are centred"},     \
        DRAWN(shift_coords, -1e9,                                                              \
              "numbers added to the coordinates of rows and of columns, as 0.1,-0.2"),         \
        DRAWN(jitter_coords, 1e-9,                                                             \
              "factors of the coordinates of rows and of columns, after the shift"),           \
        {PE_FIELD(struct rope2d_dinov3, rescale_coords),                                       \
         .type = PE_REAL,                                                                      \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .preset = 1,                                                                          \
         PE_OWN("facebookresearch/dinov3", POSITIONS, ADVANCED),                               \
         .summary = "factor of all coordinates, after the jitter"},                            \
        SPATIAL_ROW_PREFIX(struct rope2d_dinov3, spatial),                                     \
        SPATIAL_ROW_PAIRING(struct rope2d_dinov3, spatial, SPATIAL_HALF)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope2d_dinov3, spatial, 4),
    SPATIAL_ROW_WIDTH(struct rope2d_dinov3, spatial, SPATIAL_WIDTH_HALF),
};

static const struct pe_param apply_params[] = {
    ROWS, SPATIAL_APPLY_ROWS(struct rope2d_dinov3, spatial)};

#define NAMES                                                                                  \
    "grid", "base", "min_period", "max_period", "period_dtype", "normalize_coords",            \
        "grid_offset", "shift_coords", "jitter_coords", "rescale_coords", "prefix_tokens",     \
        "pairing"
static const char *const freq_names[] = {"dim",        "rotary_dim",   "base", "min_period",
                                         "max_period", "period_dtype", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(NULL, freq_names, freq_names)};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(NAMES)};

static double of_axis(const struct pe_reals *list, size_t axis, double otherwise)
{
    return list->cols > 0 ? list->values[axis] : otherwise;
}

/* Places patch k at 2 (k + 1/2) / N - 1 = (2k + 1 - N) / N, whose numerator is whole. A shift s
 * adds N s to it, an offset o 2 o. */
static void centre(struct axes_points *points, size_t axis, const struct rope2d_dinov3 *r)
{
    const double height = (double)r->spatial.grid.height;
    const double width = (double)r->spatial.grid.width;
    double side = axis == 0 ? height : width;
    struct dd first;

    if (r->normalize_coords == NORMALIZE_MAX)
        side = fmax(height, width);
    if (r->normalize_coords == NORMALIZE_MIN)
        side = fmin(height, width);
    first = elementary_add(elementary_sum(1 - side, 2 * r->grid_offset),
                           elementary_product_any(side, of_axis(&r->shift_coords, axis, 0)));
    points->first[axis] = first.hi;
    points->first_rest[axis] = first.lo;
    points->step[axis] = 2;
    points->scale[axis].multiplier = of_axis(&r->jitter_coords, axis, 1);
    points->scale[axis].factor = r->rescale_coords;
    points->scale[axis].divisor = side > 0 ? side : 1; /* no grid: only frequencies wanted */
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope2d_dinov3 *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);
    const size_t quarter = layout.pairs / 2;

    spatial_lay_two(&layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_HALVES);
    for (size_t k = 0; k < 2; k++) {
        struct axes_ladder *ladder = &layout.ladders[k];

        centre(&layout.points, k, r);
        ladder->times = 2;
        ladder->pi = true;
        ladder->short_periods = r->period_dtype == PERIODS_BF16;
        if (isnan(r->min_period))
            continue;
        ladder->base = r->max_period;
        ladder->under = ladder->divisor = r->min_period;
        ladder->of = quarter > 1 ? (double)(quarter - 1) : 1;
    }
    return layout;
}

static void check_two(const struct pe_reals *list, const char *name, struct pe_errors *errors)
{
    if (list->cols > 0 && list->cols != 2)
        pe_fail(errors, PE_CONFLICT, name,
                "must be two numbers, of rows and of columns; got %zu", list->cols);
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope2d_dinov3 *r = values;

    if (!isnan(r->min_period) && r->min_period > r->max_period)
        pe_fail(errors, PE_CONFLICT, "min_period", "must be at most max_period, %g",
                r->max_period);
    check_two(&r->shift_coords, "shift_coords", errors);
    check_two(&r->jitter_coords, "jitter_coords", errors);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope2d_dinov3, spatial),
    .multiple = 4,
    .rows = "grid",
};

const struct pe_encoding pe_encoding_rope2d_dinov3 = {
    .name = "rope2d-dinov3",
    .title = "DINOv3: rotary embedding by centred coordinates",
    .formula =
        "y = (2 (row + 1/2 + grid_offset) / N - 1 + shift) jitter rescale, x alike of the "
        "column; N = height, width, or the longer "
        "or shorter of them\n"
        "period_i = base^(4i/dim), or min_period (max_period/min_period)^(i/(dim/4 - 1)), i = "
        "0..dim/4-1\n"
        "angles of a patch = [2 pi y / period_i | 2 pi x / period_i]",
    .when_to_use =
        "DINOv3 and models built on it: coordinates run from -1 to 1 whatever the size of "
        "the image. The numbers that training draws for shift, jitter and rescaling are "
        "parameters. rope2d-timm-cat and rope2d-axial count patches.",
    .what_goes_wrong =
        "Published checkpoints carry their periods in bfloat16 (period_dtype=bf16): periods "
        "that are computed again, as transformers and timm do, differ from them by up to 0.4 "
        "percent. Coordinates are centres of patches, not their "
        "corners. Class and register tokens come first and do not turn (prefix_tokens).",
    .picture = "grid=8x8&dim=64",
    .summary = "rotary embedding of images by centred patch coordinates (DINOv3)",
    .source = "Simeoni et al. 2025, DINOv3, layers/rope_position_encoding.py; timm "
              "layers/pos_embed_sincos.py RotaryEmbeddingDinoV3",
    .examples = PE_WORDS(
        "grid=2x3&dim=8", "grid=2x3&dim=64&period_dtype=bf16&width=full",
        "grid=2x3&dim=8&shift_coords=0.25,-0.5&jitter_coords=1.25,0.8&rescale_coords=1.5",
        "grid=2x3&dim=8&grid_offset=-0.5&out=coordinates", "grid=6x5&dim=64&width=full",
        "grid=2x3&dim=8&normalize_coords=max&out=angles",
        "dim=16&min_period=1&max_period=100&out=inv_freq"),
    .revision = 2,
    SPATIAL_HOOKS(struct rope2d_dinov3, params, kind),
};

const struct pe_encoding pe_encoding_rope2d_dinov3_apply = {
    .name = "rope2d-dinov3/apply",
    .title = "DINOv3: vectors turned by centred coordinates",
    .picture = SPATIAL_PICTURE,
    .summary = "vectors rotated by centred patch coordinates (DINOv3)",
    .source = "Simeoni et al. 2025, DINOv3, layers/rope_position_encoding.py",
    .examples = PE_WORDS("grid=1x2&x=1,2,3,4;1,2,3,4",
                         "grid=1x1&x=1,2,3,4,5,6,7,8&normalize_coords=max&inverse=1"),
    .revision = 2,
    SPATIAL_APPLY_HOOKS(struct rope2d_dinov3, apply_params, apply_outputs, kind),
};
