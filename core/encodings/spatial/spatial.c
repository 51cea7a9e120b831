/* SPDX-License-Identifier: Apache-2.0
 * spatial.c - makes the outputs that all encodings with several axes have from a layout of
 * axes. */
#include "core/encodings/spatial/spatial.h"

#include <math.h>

#include "core/math/precomputed.h"
#include "core/math/trig/wavelength.h"

const struct pe_choice spatial_pairings[] = {
    [SPATIAL_ADJACENT] = {"adjacent", PE_WORDS("interleaved", "gptj"),
                          "entries 2k and 2k+1 are a pair: GPT-J, rope-vit", NULL, NULL},
    [SPATIAL_HALF] = {"half", PE_WORDS("neox", "rotate_half"),
                      "entries k and k + r/2 are a pair, of the r entries that turn: GPT-NeoX",
                      NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice spatial_section_pairings[] = {
    [SPATIAL_ADJACENT] = {"adjacent", PE_WORDS("interleaved", "gptj"),
                          "entries 2k and 2k+1 are a pair: GPT-J, rope-vit", NULL, NULL},
    [SPATIAL_HALF] = {"half", PE_WORDS("neox", "rotate_half"),
                      "entries k and k + r/2 are a pair, of the r entries that turn: GPT-NeoX",
                      NULL, NULL},
    PE_ONE_AT(SPATIAL_SECTION_HALF, "section-half",
              "entries k and k + n/2 are a pair, among the n entries of an axis"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice spatial_widths[] = {
    PE_ONE_AT(SPATIAL_WIDTH_HALF, "half", "one column a pair, the same for every pairing"),
    PE_ONE_AT(SPATIAL_WIDTH_FULL, "full",
              "one column an entry: each value twice, placed as the pairing says"),
    {NULL, NULL, NULL, NULL, NULL}};

const struct pe_choice spatial_profiles[] = {
    PE_ONE_AT(SPATIAL_EXACT, "exact", "the real number, rounded once"),
    PE_ONE_AT(SPATIAL_F64, "f64", "each step in float64"),
    PE_ONE_AT(SPATIAL_F32_POW, "f32-pow",
              "each step in float32, as frameworks compute on a GPU"),
    {NULL, NULL, NULL, NULL, NULL}};

const char *const spatial_freq_names[] = {"dim", "rotary_dim", "base", "profile", NULL};

struct spatial_layout spatial_layout_of(const struct spatial *spatial)
{
    const uint64_t sides[2] = {(uint64_t)spatial->grid.height, (uint64_t)spatial->grid.width};
    struct spatial_layout layout = {.points = axes_points_grid(2, sides),
                                    .pairs = (size_t)spatial_turned(spatial) / 2,
                                    .pairing = spatial->pairing,
                                    .width = spatial->width,
                                    .profile = spatial->profile};

    layout.points.before = (uint64_t)spatial->prefix_tokens;
    layout.points.rows += layout.points.before;
    return layout;
}

void spatial_lay_two(struct spatial_layout *layout, double base, enum spatial_order order,
                     enum spatial_pairs pairs)
{
    const bool in_turn = pairs == SPATIAL_IN_TURN;
    const size_t half = layout->pairs / 2;

    layout->ladder_count = 2;
    for (size_t k = 0; k < 2; k++) {
        const size_t axis = order == SPATIAL_COLUMNS_FIRST ? 1 - k : k;

        layout->ladders[k] = axes_ladder_open(axis, in_turn ? k : k * half, in_turn ? 2 : 1,
                                              half, base, (double)half);
    }
}

/* ---- sizes --------------------------------------------------------------------------- */

static size_t columns(const struct spatial_layout *layout)
{
    return layout->width == SPATIAL_WIDTH_FULL ? 2 * layout->pairs : layout->pairs;
}

size_t spatial_shape(const struct spatial_layout *layout, size_t output,
                     uint64_t dims[PE_MAX_RANK])
{
    dims[0] = layout->points.rows;
    switch (output) {
    case SPATIAL_COS:
    case SPATIAL_SIN:
        dims[1] = columns(layout);
        return 2;
    case SPATIAL_ANGLES:
        dims[1] = layout->pairs;
        return 2;
    case SPATIAL_COORDINATES:
        dims[1] = layout->points.axes;
        return 2;
    default:
        dims[0] = layout->pairs;
        return 1;
    }
}

/* ---- frequencies --------------------------------------------------------------------- */

static bool take_exact(struct pe_build *build, const struct spatial_layout *layout,
                       struct rotation *rotation)
{
    struct rotation_table *table = pe_build_alloc(build, sizeof *table);

    if (!table)
        return false;
    table->pairs = layout->pairs;
    table->freq = pe_build_alloc(build, layout->pairs * sizeof *table->freq);
    rotation->table = table;
    return table->freq && (axes_ladder_build(table->freq, layout->ladders, layout->ladder_count,
                                             layout->points.scale) ||
                           pe_build_no_memory(build));
}

static bool take_profile(struct pe_build *build, const struct spatial_layout *layout,
                         struct rotation *rotation)
{
    const bool doubles = layout->profile == SPATIAL_F64;
    double *f64 = pe_build_alloc(build, doubles ? layout->pairs * sizeof *f64 : 0);
    float *f32 = pe_build_alloc(build, doubles ? 0 : layout->pairs * sizeof *f32);

    if (!f64 || !f32)
        return false;
    for (size_t i = 0; i < layout->ladder_count; i++)
        if (doubles)
            axes_ladder_f64(f64, &layout->ladders[i]);
        else
            axes_ladder_f32(f32, &layout->ladders[i]);
    rotation->angle = doubles ? ROTATION_F64 : ROTATION_F32_TIMES;
    rotation->f64 = f64;
    rotation->f32 = f32;
    return true;
}

static const struct rotation *new_rotation(struct pe_build *build,
                                           const struct spatial_layout *layout)
{
    struct rotation *rotation;

    if (layout->rotation)
        return layout->rotation;
    rotation = pe_build_alloc(build, sizeof *rotation);
    if (!rotation)
        return NULL;
    rotation->amplitude = 1;
    rotation->zero_position = NAN;
    if (layout->profile == SPATIAL_EXACT ? !take_exact(build, layout, rotation)
                                         : !take_profile(build, layout, rotation))
        return NULL;
    return rotation;
}

static const unsigned char *new_axis(struct pe_build *build,
                                     const struct spatial_layout *layout)
{
    unsigned char *axis;

    if (layout->axis)
        return layout->axis;
    axis = pe_build_alloc(build, layout->pairs);
    for (size_t k = 0; axis && k < layout->ladder_count; k++) {
        const struct axes_ladder *ladder = &layout->ladders[k];

        for (size_t i = 0; i < ladder->count; i++)
            axis[ladder->first + ladder->step * i] = (unsigned char)ladder->axis;
    }
    return axis;
}

/* ---- columns ------------------------------------------------------------------------- */

/* Lists the pairs of each section (a ladder of adjoining pairs) twice, one after the other. */
static void section_columns(const struct spatial_layout *layout, uint32_t *column)
{
    for (size_t k = 0; k < layout->ladder_count; k++) {
        const struct axes_ladder *ladder = &layout->ladders[k];

        for (size_t c = 0; c < 2 * ladder->count; c++)
            column[2 * ladder->first + c] = (uint32_t)(ladder->first + c % ladder->count);
    }
}

static const uint32_t *new_columns(struct pe_build *build, const struct spatial_layout *layout)
{
    const size_t cols = columns(layout);
    uint32_t *column = pe_build_alloc(build, cols * sizeof *column);

    if (!column)
        return NULL;
    if (cols > layout->pairs && layout->pairing == SPATIAL_SECTION_HALF) {
        section_columns(layout, column);
        return column;
    }
    for (size_t c = 0; c < cols; c++)
        column[c] = (uint32_t)(cols > layout->pairs && layout->pairing == SPATIAL_ADJACENT
                                   ? c / 2
                                   : c % layout->pairs);
    return column;
}

/* ---- outputs ------------------------------------------------------------------------- */

struct axes *spatial_axes(struct pe_build *build, const struct spatial_layout *layout)
{
    struct axes *axes = pe_build_alloc(build, sizeof *axes);

    if (!axes)
        return NULL;
    axes->points = layout->points;
    axes->pairs = layout->pairs;
    axes->cols = columns(layout);
    axes->sign = layout->sign;
    axes->rotation = new_rotation(build, layout);
    axes->column = new_columns(build, layout);
    if (!axes->rotation || !axes->column)
        return NULL;
    if (!layout->sign) {
        axes->axis = new_axis(build, layout);
        if (!axes->axis)
            return NULL;
    }
    return axes;
}

static double frequency_of(const struct rotation *rotation, size_t pair)
{
    switch (rotation->angle) {
    case ROTATION_F64:
        return rotation->f64[pair];
    case ROTATION_F32_TIMES:
        return (double)rotation->f32[pair];
    case ROTATION_F32_OVER:
        return (double)(1.0F / rotation->f32[pair]);
    case ROTATION_EXACT:
    case ROTATION_F32_CHAIN:
        break;
    }
    return rotation->table->freq[pair].hi;
}

/* Serves the frequencies without the scales of their axes, in the profile's arithmetic. */
static void prepare_inv_freq(struct pe_build *build, const struct spatial_layout *layout,
                             const struct axes *axes)
{
    double *vector = precomputed_new(build, SPATIAL_INV_FREQ, 1, layout->pairs);
    struct phase_freq *freq;

    if (!vector)
        return;
    if (axes->rotation->angle != ROTATION_EXACT || layout->rotation) {
        for (size_t i = 0; i < layout->pairs; i++)
            vector[i] = frequency_of(axes->rotation, i);
        return;
    }
    freq = pe_build_alloc(build, layout->pairs * sizeof *freq);
    if (!freq || !(axes_ladder_build(freq, layout->ladders, layout->ladder_count, NULL) ||
                   pe_build_no_memory(build)))
        return;
    for (size_t i = 0; i < layout->pairs; i++)
        vector[i] = freq[i].hi;
}

static void prepare_section_axis(struct pe_build *build, const struct axes *axes)
{
    double *vector = precomputed_new(build, SPATIAL_SECTION_AXIS, 1, axes->pairs);

    for (size_t i = 0; vector && i < axes->pairs; i++)
        vector[i] = axes->axis[i];
}

bool spatial_prepare_ids(struct pe_build *build, size_t group,
                         const struct spatial_layout *layout)
{
    struct axes *axes = pe_build_alloc(build, sizeof *axes);

    if (!axes)
        return false;
    axes->points = layout->points;
    for (size_t a = 0; a < AXES_MAX; a++)
        axes->points.scale[a] = (struct axes_scale){1, 1, 1, 1};
    pe_build_fill(build, group, &axes_coordinate_filler, axes);
    return true;
}

bool spatial_prepare_both(struct pe_build *build, size_t group,
                          const struct spatial_layout *layout)
{
    const struct axes *axes = spatial_axes(build, layout);

    if (axes)
        pe_build_fill(build, group, &axes_both_filler, axes);
    return axes != NULL;
}

/* An encoding's own outputs, such as position ids, need no table and no width. */
static bool wants_table(const struct pe_args *args)
{
    bool wanted = false;

    for (size_t i = 0; i < SPATIAL_OUTPUTS; i++)
        wanted = wanted || pe_wants(args, i);
    return wanted;
}

void spatial_prepare(struct pe_build *build, const struct spatial_layout *layout)
{
    const struct pe_args *args = pe_build_args(build);
    const struct axes *axes;

    if (!wants_table(args))
        return;
    axes = spatial_axes(build, layout);
    if (!axes)
        return;
    pe_build_fill(build, SPATIAL_COS, &axes_filler, axes);
    pe_build_fill(build, SPATIAL_ANGLES, &axes_angle_filler, axes);
    pe_build_fill(build, SPATIAL_COORDINATES, &axes_coordinate_filler, axes);
    if (pe_wants(args, SPATIAL_INV_FREQ))
        prepare_inv_freq(build, layout, axes);
    if (pe_wants(args, SPATIAL_SECTION_AXIS))
        prepare_section_axis(build, axes);
}

/* ---- hooks --------------------------------------------------------------------------- */

static const struct spatial_kind *kind_of(const struct pe_args *args)
{
    return pe_args_encoding(args)->detail;
}

void spatial_table_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    const struct spatial_kind *kind = kind_of(args);
    const struct spatial *spatial = (const void *)((const char *)values + kind->part);
    const bool wants_points = pe_wants(args, SPATIAL_COS) || pe_wants(args, SPATIAL_SIN) ||
                              pe_wants(args, SPATIAL_ANGLES) ||
                              pe_wants(args, SPATIAL_COORDINATES);

    if (spatial->rotary_dim > 0 && spatial->dim != PE_ABSENT_INT)
        spatial_check_turned(spatial, kind->multiple, "dim", errors);
    if (errors->count == 0 && kind->resolve)
        kind->resolve(values, wants_points, errors);
}

size_t spatial_table_shape(const struct pe_args *args, const void *values, size_t output,
                           uint64_t dims[PE_MAX_RANK])
{
    const struct spatial_layout layout = kind_of(args)->layout(values);

    return spatial_shape(&layout, output, dims);
}

void spatial_table_prepare(struct pe_build *build, const void *values)
{
    const struct spatial_layout layout = kind_of(pe_build_args(build))->layout(values);

    spatial_prepare(build, &layout);
}

double spatial_layout_ns(const struct spatial_kind *kind, const void *values)
{
    const struct spatial_layout layout = kind->layout(values);
    /* A ladder takes a few powers; a pair takes a product, or a power as the profile has it. */
    static const double pair_ns[] =
        {[SPATIAL_EXACT] = 800, [SPATIAL_F64] = 40e3, [SPATIAL_F32_POW] = 8000};
    const double ladder_ns = 20e3;
    const double each = kind->frequencies ? (double)layout.points.axes : 1;

    return (kind->plan_ns ? kind->plan_ns(values) : 0) +
           ladder_ns * (double)layout.ladder_count +
           pair_ns[layout.profile] * each * (double)layout.pairs;
}

double spatial_table_plan_ns(const struct pe_args *args, const void *values)
{
    return wants_table(args) ? spatial_layout_ns(kind_of(args), values) : 0;
}
