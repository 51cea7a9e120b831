/* SPDX-License-Identifier: Apache-2.0
 * rope_heads.c - RoPE whose heads differ: each divides its positions by a ratio of its own, or
 * turns by an axis of its own.
 *
 *     angle of pair i of head h = pos_(axis of h) base^(-2i/dim) / r_h
 *
 * Zhang et al. 2024, Found in the Middle (Ms-PoE): r_h = min + (max - min) h / heads. Huang et
 * al. 2025, Revisiting Multimodal Positional Encoding (MHRoPE): the first heads turn by time,
 * the next by the row, then by the column, and those left over do not turn. */
#include <math.h>

#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_source.h"
#include "core/math/axes/axes_heads.h"

enum { PAIRS_MOST = 65536 };

struct rope_heads {
    struct spatial spatial;
    struct spatial_source source;
    struct pe_reals head_section, head_ratios;
    double min_ratio, max_ratio;
    int64_t heads;
};

#define ROWS                                                                                   \
    {PE_FIELD(struct rope_heads, heads),                                                       \
     .type = PE_INT,                                                                           \
     .required = true,                                                                         \
     .min = 1,                                                                                 \
     .max = 1024,                                                                              \
     .summary = "number of attention heads"},                                                  \
        {PE_FIELD(struct rope_heads, head_ratios),                                             \
         .type = PE_REALS,                                                                     \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .when = "!max_ratio",                                                                 \
         PE_OWN("posenc", POSITIONS, BASIC),                                                   \
         .summary = "divisors of the positions, one a head; 1 by default"},                    \
        {PE_FIELD(struct rope_heads, max_ratio),                                               \
         .type = PE_REAL,                                                                      \
         .optional = true,                                                                     \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         PE_OWN("VITA-Group/Ms-PoE", POSITIONS, BASIC),                                        \
         .summary = "divisor that the heads approach, evenly from min_ratio on"},              \
        {PE_FIELD(struct rope_heads, min_ratio),                                               \
         .type = PE_REAL,                                                                      \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .preset = 1,                                                                          \
         .when = "max_ratio",                                                                  \
         PE_OWN("VITA-Group/Ms-PoE", POSITIONS, BASIC),                                        \
         .summary = "divisor of the positions of the first head"},                             \
        {PE_FIELD(struct rope_heads, head_section),                                            \
         .type = PE_REALS,                                                                     \
         .min = 0,                                                                             \
         .max = 1024,                                                                          \
         PE_OWN("JJJYmmm/Multimodal-RoPEs", SHAPE, BASIC),                                     \
         .summary = "number of heads that turn by each axis, as 2,3,3 for time, row, column; " \
                    "all heads by one axis by default"},                                       \
        SPATIAL_ROW_BASE(struct rope_heads, spatial, 10000),                                   \
        SPATIAL_SOURCE_ROWS(struct rope_heads, source)

static const struct pe_param params[] = {
    ROWS,
    SPATIAL_ROW_DIM(struct rope_heads, spatial, 2),
};

static const struct pe_param apply_params[] = {
    ROWS,
    SPATIAL_ROW_PAIRING(struct rope_heads, spatial, SPATIAL_HALF),
    VECTORS_ROW_HEAD_AXIS(struct rope_heads, spatial.vectors),
    SPATIAL_APPLY_ROWS(struct rope_heads, spatial),
};

#define FREQ_NAMES "heads", "head_ratios", "max_ratio", "min_ratio", "head_section", "base"
static const char *const freq_names[] = {FREQ_NAMES, "dim", "rotary_dim", NULL};
static const char *const axis_names[] = {"heads", "head_section", "dim", "rotary_dim", NULL};

static const struct pe_output outputs[] = {SPATIAL_OUTPUT_ROWS(NULL, freq_names, axis_names)};

static const struct pe_output apply_outputs[] = {
    SPATIAL_APPLY_OUTPUT_ROWS(FREQ_NAMES, SPATIAL_SOURCE_NAMES, "pairing", "head_axis")};

/* ---- rules --------------------------------------------------------------------------- */

static size_t axis_count(const struct rope_heads *r)
{
    return r->head_section.cols > 0 ? r->head_section.cols : 1;
}

static size_t pairs_of(const struct rope_heads *r)
{
    return (size_t)spatial_turned(&r->spatial) / 2;
}

/* Returns the number of heads that turn. */
static double turning(const struct rope_heads *r)
{
    double sum = 0;

    for (size_t i = 0; i < r->head_section.cols; i++)
        sum += r->head_section.values[i];
    return r->head_section.cols > 0 ? sum : (double)r->heads;
}

static void check_sections(const struct rope_heads *r, struct pe_errors *errors)
{
    if (r->head_section.cols > AXES_MAX)
        pe_fail(errors, PE_CONFLICT, "head_section", "must have at most %d axes; got %zu",
                AXES_MAX, r->head_section.cols);
    for (size_t i = 0; i < r->head_section.cols && errors->count == 0; i++)
        if (r->head_section.values[i] != trunc(r->head_section.values[i]))
            pe_fail(errors, PE_BAD_VALUE, "head_section", "must be whole numbers; got %g",
                    r->head_section.values[i]);
    if (errors->count == 0 && turning(r) > (double)r->heads)
        pe_fail(errors, PE_CONFLICT, "head_section",
                "must add up to at most heads, %lld; got %g", (long long)r->heads, turning(r));
}

static void resolve(void *values, bool wants_points, struct pe_errors *errors)
{
    const struct rope_heads *r = values;

    if (r->head_ratios.cols > 0 && r->head_ratios.cols != (size_t)r->heads)
        pe_fail(errors, PE_CONFLICT, "head_ratios", "must have a number a head, %lld; got %zu",
                (long long)r->heads, r->head_ratios.cols);
    else if (r->heads * (int64_t)pairs_of(r) > PAIRS_MOST)
        pe_fail(errors, PE_CONFLICT, "heads",
                "times the pairs of a head, %zu, must be at most %d; got %lld", pairs_of(r),
                PAIRS_MOST, (long long)r->heads);
    else
        check_sections(r, errors);
    if (errors->count == 0 && wants_points)
        spatial_source_check(&r->source, axis_count(r), errors);
}

static void apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors)
{
    struct rope_heads *r = values;

    spatial_apply_resolve(args, values, errors);
    if (errors->count == 0)
        vectors_resolve_heads(args, &r->spatial.vectors, (uint64_t)r->heads, errors);
}

/* ---- layout -------------------------------------------------------------------------- */

static struct spatial_layout layout_of(const void *values)
{
    const struct rope_heads *r = values;

    return (struct spatial_layout){.points = spatial_source_points(&r->source, axis_count(r)),
                                   .pairs = (size_t)r->heads * pairs_of(r),
                                   .heads = (size_t)r->heads,
                                   .pairing = r->spatial.pairing,
                                   .width = SPATIAL_WIDTH_HALF};
}

/* Writes the axis of each pair; heads that do not turn have axis 0. */
static void take_axes(const struct rope_heads *r, unsigned char *axis)
{
    size_t h = 0;

    for (size_t a = 0; a < r->head_section.cols; a++)
        for (size_t n = 0; n < (size_t)r->head_section.values[a]; n++, h++)
            for (size_t i = 0; i < pairs_of(r); i++)
                axis[h * pairs_of(r) + i] = (unsigned char)a;
}

/* Sets rotation and axis of the layout; returns false when out of memory. */
static bool take_rotation(struct pe_build *build, const struct rope_heads *r,
                          struct spatial_layout *layout)
{
    const bool given = r->head_ratios.cols > 0;
    const struct axes_heads heads = {.base = r->spatial.base,
                                     .low = isnan(r->max_ratio) ? 1 : r->min_ratio,
                                     .high = isnan(r->max_ratio) ? 1 : r->max_ratio,
                                     .ratios = given ? r->head_ratios.values : NULL,
                                     .heads = (size_t)r->heads,
                                     .pairs = pairs_of(r)};
    struct rotation_table *table = pe_build_alloc(build, sizeof *table);
    struct rotation *rotation = pe_build_alloc(build, sizeof *rotation);
    struct phase_freq *freq = pe_build_alloc(build, layout->pairs * sizeof *freq);
    unsigned char *axis = pe_build_alloc(build, layout->pairs);

    if (!table || !rotation || !freq || !axis ||
        !(axes_heads_build(freq, &heads, (size_t)turning(r)) || pe_build_no_memory(build)))
        return false;
    *table = (struct rotation_table){.pairs = layout->pairs, .freq = freq};
    *rotation = (struct rotation){.table = table, .amplitude = 1, .zero_position = NAN};
    take_axes(r, axis);
    layout->rotation = rotation;
    layout->axis = axis;
    return true;
}

static void prepare(struct pe_build *build, const void *values)
{
    struct spatial_layout layout = layout_of(values);

    if (take_rotation(build, values, &layout))
        spatial_prepare(build, &layout);
}

static void apply_prepare(struct pe_build *build, const void *values)
{
    const struct rope_heads *r = values;
    struct spatial_layout layout = layout_of(values);

    if (take_rotation(build, values, &layout))
        spatial_apply_build(build, &layout, &r->spatial.vectors, (size_t)r->spatial.offset_dims,
                            false);
}

static const struct spatial_kind kind = {
    .layout = layout_of,
    .resolve = resolve,
    .part = offsetof(struct rope_heads, spatial),
    .multiple = 2,
    .rows = "pos",
};

const struct pe_encoding pe_encoding_rope_heads = {
    .name = "rope-heads",
    .title = "Rotary embedding of heads that differ",
    .formula =
        "angle of pair i of head h = pos_a base^(-2i/dim) / r_h, a: the axis of the head "
        "(head_section)\n"
        "r_h = head_ratios[h], or min_ratio + (max_ratio - min_ratio) h/heads",
    .when_to_use =
        "Ms-PoE stretches the positions of each head by another ratio, so that long contexts "
        "are read without training. MHRoPE gives time, row and column heads of their own. "
        "Where pairs of one head turn by different axes, take mrope or rope-axes.",
    .what_goes_wrong =
        "Columns hold the pairs of the first head, then of the next: a table of one head for "
        "all is wrong. Ms-PoE orders its heads by how they attend before it gives them their "
        "ratios, so head_ratios must be permuted alike. MHRoPE counts heads of keys: queries "
        "of a group share them.",
    .picture = "heads=4&dim=16&max_ratio=3&head_section=2,2&pos=0:64",
    .summary = "rotary embedding whose heads have ratios or axes of their own: Ms-PoE, MHRoPE",
    .source = "Zhang et al. 2024, Found in the Middle (Ms-PoE); Huang et al. 2025, Revisiting "
              "Multimodal Positional Encoding in Vision-Language Models (MHRoPE)",
    .examples = PE_WORDS("heads=2&dim=8&max_ratio=1.8&min_ratio=1.2&pos=0:4",
                         "heads=3&dim=4&head_section=1,1&ids=2,3;5,7&out=angles",
                         "heads=2&dim=4&head_ratios=1,4&pos=8&out=angles",
                         "heads=3&dim=4&head_section=1,1&out=section_axis"),
    .family = PE_ROTARY,
    PE_TABLES(struct rope_heads, params, outputs),
    .detail = &kind,
    .resolve = spatial_table_resolve,
    .shape = spatial_table_shape,
    .plan_ns = spatial_table_plan_ns,
    .prepare = prepare,
};

const struct pe_encoding pe_encoding_rope_heads_apply = {
    .name = "rope-heads/apply",
    .title = "Vectors of heads that turn each in its way",
    .picture = "heads=1&max_ratio=2&pos=0:8" SPATIAL_PICTURE_VECTORS,
    .summary = "vectors rotated by ratios or axes of each head: Ms-PoE, MHRoPE",
    .source = "Zhang et al. 2024, Found in the Middle (Ms-PoE); Huang et al. 2025, Revisiting "
              "Multimodal Positional Encoding in Vision-Language Models (MHRoPE)",
    .examples = PE_WORDS("heads=1&head_ratios=2&pos=3&x=1,2,3,4",
                         "heads=1&head_section=0,1&ids=3,1;5,2&x=1,2;3,4&inverse=1"),
    .family = PE_ROTARY,
    .kind = PE_INPUT,
    PE_TABLES(struct rope_heads, apply_params, apply_outputs),
    .detail = &kind,
    .resolve = apply_resolve,
    .plan_ns = spatial_apply_plan_ns,
    .prepare = apply_prepare,
};
