/* SPDX-License-Identifier: Apache-2.0
 * rope_axes.c - one RoPE for each axis, one after the other in the head:
 *
 *     w_i = base^(-2i/d_a), i = 0..d_a/2-1, for the pairs of axis a       angle = pos_a w_i
 *
 * axis_order= has the orders of its relatives. /apply rotates vectors with the kernel of
 * rotate.h. Flux, Wan, CogVideoX, Cosmos, Qwen-Image, Lumina, LTX-Video and others are
 * presets. */
#include "core/encodings/rotary/axes/rope_axes.h"

#include <math.h>

#include "core/math/number/elementary.h"

/* ---- axes ---------------------------------------------------------------------------- */

static size_t axis_count(const struct rope_axes *r)
{
    if (r->axis_order == ORDER_ALTERNATING)
        return 2;
    return r->axis_order == ORDER_BLOCKS && r->axes_dim.cols > 0 ? r->axes_dim.cols : 3;
}

/* Returns the width of an axis for axis_order=blocks. */
static int64_t width_of(const struct rope_axes *r, size_t axis)
{
    const int64_t dim = spatial_turned(&r->spatial);

    if (r->axes_dim.cols > 0)
        return (int64_t)r->axes_dim.values[axis];
    if (r->split == SPLIT_THIRDS)
        return dim / 3;
    if (r->split == SPLIT_EIGHTHS)
        return axis == 0 ? dim / 4 : 3 * dim / 8;
    return axis == 0 ? dim - 4 * (dim / 6) : 2 * (dim / 6);
}

/* ---- rules --------------------------------------------------------------------------- */

/* Returns the parameter that says how many elements rotate. */
static const char *width_name(const struct rope_axes *r)
{
    return r->spatial.rotary_dim > 0 ? "rotary_dim" : "dim";
}

static void check_axes_dim(struct rope_axes *r, struct pe_errors *errors)
{
    int64_t sum = 0;

    if (r->axes_dim.cols > AXES_MAX) {
        pe_fail(errors, PE_CONFLICT, "axes_dim", "must have at most %d axes; got %zu", AXES_MAX,
                r->axes_dim.cols);
        return;
    }
    for (size_t a = 0; a < r->axes_dim.cols; a++) {
        const double width = r->axes_dim.values[a];

        if (width > 65536 || fmod(width, 2) != 0) {
            pe_fail(errors, PE_BAD_VALUE, "axes_dim", "must be even numbers, 2..65536; got %g",
                    width);
            return;
        }
        sum += (int64_t)width;
    }
    if (r->spatial.dim == PE_ABSENT_INT)
        r->spatial.dim = sum;
    if (spatial_turned(&r->spatial) == sum)
        return;
    pe_fail(errors, PE_CONFLICT, width_name(r), "must be the sum of axes_dim, %lld; got %lld",
            (long long)sum, (long long)spatial_turned(&r->spatial));
    if (r->spatial.rotary_dim <= 0 && sum < r->spatial.dim)
        pe_hint(errors, "rotary_dim=%lld rotates a part of the head", (long long)sum);
}

static void check_split(const struct rope_axes *r, struct pe_errors *errors)
{
    const int64_t dim = spatial_turned(&r->spatial);
    const int64_t multiple = r->split == SPLIT_THIRDS ? 6 : 16;

    if (r->split == SPLIT_SIXTHS ? dim < 6 : dim % multiple != 0)
        pe_fail(errors, PE_CONFLICT, width_name(r),
                r->split == SPLIT_SIXTHS ? "must be at least 6 with split=sixths; got %lld"
                : r->split == SPLIT_THIRDS
                    ? "must be a multiple of 6 with split=thirds; got %lld"
                    : "must be a multiple of 16 with split=eighths; got %lld",
                (long long)dim);
}

static void check_blocks(struct rope_axes *r, struct pe_errors *errors)
{
    if (r->axes_dim.cols > 0)
        check_axes_dim(r, errors);
    else if (r->split < 0)
        pe_fail(errors, PE_MISSING_PARAMETER, "axes_dim",
                "is required: the width of each axis, or a preset, or dim with split");
    else if (r->spatial.dim == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "dim", "is required with split=%s",
                rope_axes_splits[r->split].name);
    else
        check_split(r, errors);
}

static void check_one_ladder(const struct rope_axes *r, struct pe_errors *errors)
{
    const int64_t width = spatial_turned(&r->spatial);

    if (r->spatial.dim == PE_ABSENT_INT)
        pe_fail(errors, PE_MISSING_PARAMETER, "dim", "is required with axis_order=%s",
                rope_axes_orders[r->axis_order].name);
    else if (r->axis_order == ORDER_ALTERNATING ? width % 4 != 0 : width < 6)
        pe_fail(errors, PE_CONFLICT, width_name(r),
                r->axis_order == ORDER_ALTERNATING ? "must be a multiple of 4; got %lld"
                                                   : "must be at least 6; got %lld",
                (long long)width);
    if (r->spatial.pairing == SPATIAL_SECTION_HALF)
        pe_fail(errors, PE_CONFLICT, "pairing", "cannot be section-half with axis_order=%s",
                rope_axes_orders[r->axis_order].name);
    if (r->axis_order == ORDER_FREQUENCY_MAJOR && r->spatial.profile != SPATIAL_EXACT)
        pe_fail(errors, PE_CONFLICT, "profile",
                "must be exact with axis_order=frequency-major");
}

static void check_list(const struct pe_reals *list, const char *name, size_t axes,
                       struct pe_errors *errors)
{
    if (list->cols > 0 && list->cols != axes)
        pe_fail(errors, PE_CONFLICT, name, "must have a number an axis, %zu; got %zu", axes,
                list->cols);
}

static void check_lists(const struct rope_axes *r, struct pe_errors *errors)
{
    const size_t axes = axis_count(r);

    check_list(&r->axes_base, "axes_base", axes, errors);
    check_list(&r->axes_ntk, "axes_ntk", axes, errors);
    check_list(&r->axes_factor, "axes_factor", axes, errors);
    check_list(&r->base_sizes, "base_sizes", axes, errors);
    for (size_t a = 0; a < r->axes_ntk.cols && errors->count == 0; a++)
        if (width_of(r, a) <= 2)
            pe_fail(errors, PE_CONFLICT, "axes_ntk", "needs axes wider than 2");
}

static void check_coordinates(const struct rope_axes *r, struct pe_errors *errors)
{
    const struct pe_reals *crops = &r->crops_coords;

    if (spatial_source_check(&r->source, axis_count(r), errors))
        return;
    if (crops->rows > 0 && (crops->rows != 2 || crops->cols != 2))
        pe_fail(errors, PE_BAD_VALUE, "crops_coords", "must be top,left;bottom,right");
    if (r->temporal_skip_len != PE_ABSENT_INT && axis_count(r) != 3)
        pe_fail(errors, PE_CONFLICT, "temporal_skip_len",
                "needs three axes, of frames, rows and columns; got %zu", axis_count(r));
    if (crops->rows > 0 && axis_count(r) < 2)
        pe_fail(errors, PE_CONFLICT, "crops_coords", "needs grid_sizes of rows and columns");
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    struct rope_axes *r = values;

    if (r->axis_order == ORDER_BLOCKS)
        check_blocks(r, errors);
    else
        check_one_ladder(r, errors);
    if (errors->count == 0)
        check_lists(r, errors);
    if (errors->count == 0 && wants_points)
        check_coordinates(r, errors);
}

/* ---- layout -------------------------------------------------------------------------- */

static double base_of(const struct rope_axes *r, size_t axis)
{
    return r->axes_base.cols > 0 ? r->axes_base.values[axis] : r->spatial.base;
}

static void lay_blocks(const struct rope_axes *r, struct spatial_layout *layout)
{
    size_t first = 0;

    layout->ladder_count = axis_count(r);
    for (size_t a = 0; a < layout->ladder_count; a++) {
        const size_t pairs = (size_t)width_of(r, a) / 2;

        layout->ladders[a] = axes_ladder_open(a, first, 1, pairs, base_of(r, a), (double)pairs);
        if (r->axes_ntk.cols > 0) {
            layout->ladders[a].growth = r->axes_ntk.values[a];
            layout->ladders[a].growth_number = (double)(2 * pairs);
            layout->ladders[a].growth_of = (double)(2 * pairs - 2);
        }
        first += pairs;
    }
}

static void lay_alternating(const struct rope_axes *r, struct spatial_layout *layout)
{
    spatial_lay_two(layout, r->spatial.base, SPATIAL_ROWS_FIRST, SPATIAL_IN_TURN);
    for (size_t a = 0; a < 2; a++) {
        if (!isnan(r->ntk_factor))
            layout->ladders[a].growth = r->ntk_factor;
        if (!isnan(r->linear_factor))
            layout->ladders[a].divisor = r->linear_factor;
    }
}

/* Lays out pi/2 base^(i/(m-1)); pairs that are left over come first and stand still. Of a
 * coordinate c the angle takes 2 c/size - 1 = (2c - size)/size. */
static void lay_frequency_major(const struct rope_axes *r, struct spatial_layout *layout)
{
    const size_t each = layout->pairs / 3, still = layout->pairs % 3;

    layout->ladder_count = 4;
    for (size_t a = 0; a < 3; a++) {
        struct axes_ladder *ladder = &layout->ladders[a];

        *ladder = axes_ladder_open(a, still + a, 3, each, r->spatial.base,
                                   each > 1 ? (double)(each - 1) : 1);
        ladder->power = 1;
        ladder->times = .5;
        ladder->pi = true;
        layout->points.first[a] = -r->base_sizes.values[a];
        layout->points.step[a] = 2;
        layout->points.scale[a].divisor = r->base_sizes.values[a];
    }
    layout->ladders[3] = axes_ladder_open(0, 0, 1, still, 1, 1);
    layout->ladders[3].kind = AXES_STILL;
}

/* Places point k of n as diffusers' linspace(low, high (n-1)/n, n):
 * (low n (n-1) + k (high (n-1) - low n)) / (n (n-1)). */
static void crop(struct axes_points *points, size_t axis, double low, double high)
{
    const double n = (double)points->count[axis];

    points->first[axis] = low;
    if (n < 2)
        return;

    const struct dd first = elementary_product_any(low, n * (n - 1)),
                    step = elementary_add(elementary_product_any(high, n - 1),
                                          elementary_product_any(-low, n));

    points->first[axis] = first.hi;
    points->first_rest[axis] = first.lo;
    points->step[axis] = step.hi;
    points->step_rest[axis] = step.lo;
    points->scale[axis].divisor = n * (n - 1);
}

static void place(const struct rope_axes *r, struct axes_points *points)
{
    const size_t rows = points->axes == 2 ? 0 : 1; /* axis of rows in t,h,w or h,w */

    if (r->crops_coords.rows > 0) {
        const double *crops = r->crops_coords.values;

        crop(points, rows, crops[0], crops[2]);
        crop(points, rows + 1, crops[1], crops[3]);
    }
    for (size_t a = rows;
         a < points->axes && r->source.grid_sizes.cols > 0 && r->coord_start == START_CENTRED &&
         r->axis_order != ORDER_FREQUENCY_MAJOR;
         a++)
        points->first[a] = -(double)(points->count[a] - points->count[a] / 2);
    if (r->temporal_skip_len != PE_ABSENT_INT && points->axes == 3 && points->count[0] == 2)
        points->step[0] = (double)(r->temporal_skip_len - 1);
    for (size_t a = 0; a < r->axes_factor.cols; a++)
        points->scale[a].divisor *= r->axes_factor.values[a];
    if (!isnan(r->fps)) {
        points->scale[0].multiplier = r->base_fps;
        points->scale[0].divisor *= r->fps;
    }
}

static struct spatial_layout layout_of(const void *values)
{
    const struct rope_axes *r = values;
    struct spatial_layout layout = spatial_layout_of(&r->spatial);

    layout.points = spatial_source_points(&r->source, axis_count(r));
    if (r->axis_order == ORDER_ALTERNATING)
        lay_alternating(r, &layout);
    else if (r->axis_order == ORDER_FREQUENCY_MAJOR)
        lay_frequency_major(r, &layout);
    else
        lay_blocks(r, &layout);
    place(r, &layout.points);
    return layout;
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope_axes, spatial),
    .multiple = 2,
    .rows = "pos",
};

static const struct pe_param params[] = {
    ROPE_AXES_ROWS(rope_axes_presets),
    {PE_FIELD_OF(struct rope_axes, spatial, dim), .type = PE_INT, .optional = true, .min = 2,
     .max = 65536, .multiple_of = 2,
     .summary = "width of a head; the sum of axes_dim by default"},
    SPATIAL_ROW_ROTARY_DIM(struct rope_axes, spatial),
    SPATIAL_ROW_WIDTH(struct rope_axes, spatial, SPATIAL_WIDTH_HALF),
};

static const char *const names[] = {ROPE_AXES_NAMES, "dim", "rotary_dim", "width", NULL};
static const char *const freq_names[] = {ROPE_AXES_FREQ_NAMES, "dim", "rotary_dim", "pairing",
                                         "base_sizes",         NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(names, freq_names, freq_names)};

const struct pe_encoding pe_encoding_rope_axes = {
    .name = "rope-axes",
    .title = "Rotary embedding of several axes, one after the other",
    .formula =
        "w_i = base^(-2i/d_a), i = 0..d_a/2-1, for the d_a columns of axis a (axes_dim)\n"
        "angles of a token = [pos_0 w | pos_1 w | ...], a ladder w for each axis; of a head "
        "that is wider only rotary_dim elements rotate",
    .when_to_use =
        "Diffusion transformers for images and video: Flux, Wan, HunyuanVideo, "
        "CogVideoX, Cosmos, Qwen-Image, Lumina, LTX-Video, Allegro and MiniMax-H3 are "
        "presets. "
        "Vision towers take a rope2d- encoding, language models with images mrope.",
    .what_goes_wrong =
        "Each axis has a ladder over its own columns: one ladder over the whole head, as "
        "in mrope, gives other frequencies. Wan and Flux compute angles in float64 "
        "(profile=f64); the large frequencies of LTX-Video lose their phase in float32. "
        "MiniMax-H3 turns 96 of the 128 elements of a head (rotary_dim). "
        "Text tokens have ids too: 0,0,0 in Flux, after the largest row or column in "
        "Qwen-Image.",
    .picture = "split=sixths&dim=64&grid_sizes=4,4,4",
    .summary =
        "rotary embedding with a ladder an axis: Flux, Wan, CogVideoX, Cosmos and others",
    .source = "black-forest-labs/flux math.py, layers.py; Wan-Video/Wan2.1 modules/model.py; "
              "diffusers models/embeddings.py and models/transformers (MiniMax-H3: "
              "transformer_minimax_h3.py)",
    .examples = PE_WORDS(
        "pos=0:3&axes_dim=2,2,4", "ids=0,3,5&axes_dim=2,2,4&out=angles",
        "ids=0,0,0;0,31,63&preset=flux", "preset=wan&dim=128&grid_sizes=2,2,3&profile=f64",
        "preset=cogvideox&dim=64&grid_sizes=3,4,6&crops_coords=0,0;4,6&width=full",
        "preset=cosmos&dim=128&grid_sizes=2,2,2&axes_ntk=1,4,4&fps=12&out=angles",
        "preset=allegro&dim=96&grid_sizes=2,2,2&axes_factor=2,3,3&width=full&out=cos",
        "preset=qwen-image&grid_sizes=1,3,4&out=coordinates",
        "preset=chrono-edit&dim=128&grid_sizes=2,2,2&out=coordinates",
        "preset=lumina-next&dim=8&ids=2,3&ntk_factor=4&linear_factor=1.5&out=angles",
        "preset=ltx-video&dim=26&ids=0,0,0;10,1024,512&out=angles,section_axis",
        "ids=2,3,5&preset=minimax-h3&dim=128&width=full", "axes_dim=16,56,56&out=inv_freq"),
    .revision = 2,
    SPATIAL_HOOKS(struct rope_axes, params, kind),
};

static const struct pe_param apply_params[] = {
    ROPE_AXES_ROWS(rope_axes_apply_presets),
    SPATIAL_APPLY_ROWS(struct rope_axes, spatial),
};

static const struct pe_output apply_outputs[] = {SPATIAL_APPLY_OUTPUT_ROWS(ROPE_AXES_NAMES)};

const struct pe_encoding pe_encoding_rope_axes_apply = {
    .name = "rope-axes/apply",
    .title = "Vectors turned axis after axis",
    .picture = "split=sixths&grid_sizes=2,2,2" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated axis by axis: Flux, Wan, CogVideoX and others",
    .source = "Wan-Video/Wan2.1 modules/model.py rope_apply; black-forest-labs/flux math.py",
    .examples = PE_WORDS("pos=3&x=1,0,0,1&axes_dim=2,2", "ids=1,2&x=1,2,3,4&axes_dim=2,2",
                         "ids=0,1,2&x=1,2,3,4,5,6,7,8&preset=wan&inverse=1",
                         "ids=2,3&x=1,2,3,4,5,6,7,8&preset=lumina-next&pairing=half",
                         "ids=1,2,3&x=1,2,3,4,5,6,7,8,9,10,11,12&preset=allegro",
                         "ids=1,2&x=1,2,3,4,5,6&axes_dim=2,2&rotary_dim=4&offset_dims=1"),
    .revision = 2,
    SPATIAL_APPLY_HOOKS(struct rope_axes, apply_params, apply_outputs, kind),
};
