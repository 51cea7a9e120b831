/* SPDX-License-Identifier: Apache-2.0
 * spatial.h - the parameters, the six outputs, their shapes and fillers that rotary encodings
 * with several axes share. An encoding only describes its axes as a struct spatial_layout, by
 * its struct spatial_kind; spatial_apply.h then rotates vectors too. */
#pragma once

#include "core/encodings/rotary/vectors.h"
#include "core/math/axes/axes.h"

/* Parameters that most encodings of several axes have; each declares the ones that it takes. */
struct spatial {
    int64_t dim, prefix_tokens;
    double base;
    struct pe_grid grid;
    int pairing, width, profile;
    int64_t offset_dims; /* vectors rotate from this element on; else 0 */
    int64_t rotary_dim;  /* elements that rotate; absent or 0: all that offset_dims leaves */
    struct vectors vectors;
};

enum spatial_pairing { SPATIAL_ADJACENT, SPATIAL_HALF, SPATIAL_SECTION_HALF };
enum spatial_width { SPATIAL_WIDTH_HALF, SPATIAL_WIDTH_FULL };
enum spatial_order { SPATIAL_ROWS_FIRST, SPATIAL_COLUMNS_FIRST };
enum spatial_pairs { SPATIAL_HALVES, SPATIAL_IN_TURN };
enum spatial_profile { SPATIAL_EXACT, SPATIAL_F64, SPATIAL_F32_POW };

/* spatial_section_pairings adds section-half, for axes whose pairs adjoin. */
extern const struct pe_choice spatial_pairings[], spatial_section_pairings[], spatial_widths[],
    spatial_profiles[];

/* Indices of the outputs; an encoding's own outputs come after them. */
enum {
    SPATIAL_COS,
    SPATIAL_SIN,
    SPATIAL_ANGLES,
    SPATIAL_INV_FREQ,
    SPATIAL_SECTION_AXIS,
    SPATIAL_COORDINATES,
    SPATIAL_OUTPUTS
};

#define SPATIAL_BOUND "0.501 ULP; f64 1 ULP; a profile's own values are exact"

/* The parameters that most frequencies depend on: dim, rotary_dim, base and profile. */
extern const char *const spatial_freq_names[];

/* Declares the outputs: NAMES are the parameters that tables depend on (NULL: all), FREQ_NAMES
 * those that frequencies depend on, AXIS_NAMES those that the map of axes depends on. */
#define SPATIAL_OUTPUT_ROWS(NAMES, FREQ_NAMES, AXIS_NAMES)                                     \
    [SPATIAL_COS] = {PE_OUTPUT("cos", PE_F32, "pos", "width"),                                 \
                     .label = "Cosines",                                                       \
                     .columns = PE_COLUMN_PAIRED,                                              \
                     .summary = "cosines of the angles by which pairs turn",                   \
                     .by_default = true,                                                       \
                     .uses = NAMES,                                                            \
                     .bound = SPATIAL_BOUND},                                                  \
    [SPATIAL_SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "width"),                                 \
                     .label = "Sines",                                                         \
                     .columns = PE_COLUMN_PAIRED,                                              \
                     .summary = "sines of the angles by which pairs turn",                     \
                     .group = "cos",                                                           \
                     .by_default = true,                                                       \
                     .uses = NAMES,                                                            \
                     .bound = SPATIAL_BOUND},                                                  \
    [SPATIAL_ANGLES] = {PE_OUTPUT("angles", PE_F32, "pos", "pair"),                            \
                        .label = "Angles",                                                     \
                        .columns = PE_COLUMN_PAIR,                                             \
                        .summary = "angles by which pairs turn, in radians",                   \
                        .uses = NAMES,                                                         \
                        .bound = "0.501 ULP; f64 1 ULP"},                                      \
    [SPATIAL_INV_FREQ] =                                                                       \
        {PE_OUTPUT("inv_freq", PE_F32, "pair"),                                                \
         .label = "Inverse frequencies",                                                       \
         .columns = PE_COLUMN_PAIR,                                                            \
         .sign = PE_NOT_NEGATIVE,                                                              \
         .scale = PE_LOGARITHMIC,                                                              \
         .summary = "radians by which each pair turns for each unit of its coordinate",        \
         .uses = FREQ_NAMES,                                                                   \
         .bound = "0.501 ULP; f64 0.5 ULP"},                                                   \
    [SPATIAL_SECTION_AXIS] = {PE_OUTPUT("section_axis", PE_I64, "pair"),                       \
                              .label = "Axis of each pair",                                    \
                              .columns = PE_COLUMN_PAIR,                                       \
                              .sign = PE_NOT_NEGATIVE,                                         \
                              .summary =                                                       \
                                  "number of the axis whose coordinate turns each pair",       \
                              .uses = AXIS_NAMES,                                              \
                              .bound = "exact"},                                               \
    [SPATIAL_COORDINATES] = {                                                                  \
        PE_OUTPUT("coordinates", PE_F32, "pos", "axis"), .label = "Coordinates",               \
        .summary = "coordinates of each token, which the frequencies are multiplied by",       \
        .uses = NAMES, .bound = "0.501 ULP; f64 2 ULP"}

#define SPATIAL_ROW_DIM(TYPE, PART, MULTIPLE)                                                  \
    {PE_FIELD_OF(TYPE, PART, dim),                                                             \
     .type = PE_INT,                                                                           \
     .required = true,                                                                         \
     .min = (MULTIPLE),                                                                        \
     .max = 65536,                                                                             \
     .multiple_of = (MULTIPLE),                                                                \
     .summary = "width of a head (head_dim)"},                                                 \
        SPATIAL_ROW_ROTARY_DIM(TYPE, PART)
#define SPATIAL_ROW_ROTARY_DIM(TYPE, PART)                                                     \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, rotary_dim), .type = PE_INT, .optional = true, .min = 2,       \
                                             .max = 65536, .multiple_of = 2,                   \
                                             .summary = "elements of a head that rotate, "     \
                                                        "which all axes share; all by default" \
    }
#define SPATIAL_ROW_BASE(TYPE, PART, PRESET)                                                   \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, base), .type = PE_REAL, .min = 1, .max = 1e18,                 \
                                       .preset = (PRESET)                                      \
    }
#define SPATIAL_ROW_GRID(TYPE, PART)                                                           \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, grid),                                                         \
            .type = PE_GRID, .required = true,                                                 \
            .summary = "patches of the image, HEIGHTxWIDTH, as 14x14; tokens row by row"       \
    }
#define SPATIAL_ROW_PREFIX(TYPE, PART)                                                         \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, prefix_tokens),                                                \
            .type = PE_INT, .min = 0, .max = 65536,                                            \
            .summary = "tokens before the patches, which do not turn (class, registers)"       \
    }
#define SPATIAL_ROW_PAIRING(TYPE, PART, PRESET)                                                \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, pairing), .type = PE_CHOICE, .choices = spatial_pairings,      \
                                          .preset = (PRESET)                                   \
    }
#define SPATIAL_ROW_WIDTH(TYPE, PART, PRESET)                                                  \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, width), .type = PE_CHOICE, .choices = spatial_widths,          \
                                        .preset = (PRESET)                                     \
    }
#define SPATIAL_ROW_PROFILE(TYPE, PART)                                                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, profile), .type = PE_CHOICE, .choices = spatial_profiles       \
    }

/* The points, the pairs and the frequencies of one request's axes. */
struct spatial_layout {
    struct axes_points points;
    size_t pairs, ladder_count;
    size_t heads; /* heads whose pairs follow one another; 0: all heads are alike */
    struct axes_ladder ladders[AXES_MAX];
    int pairing, width, profile;
    /* The rotation and the axis of each pair, of an encoding that has frequencies of its own;
     * both outlive the plan. NULL: the ladders give the frequencies. */
    const struct rotation *rotation;
    const unsigned char *axis;
    const signed char *sign; /* dense: rotation has [axes][pairs] frequencies */
};

/* The .detail that an encoding of tables shares with its twin of vectors; the hooks below read
 * it. */
struct spatial_kind {
    struct spatial_layout (*layout)(const void *values);
    /* Checks the encoding's own rules and sets its defaults; wants_points is set where a wanted
     * output has rows. May be NULL. */
    void (*resolve)(void *values, bool wants_points, struct pe_errors *errors);
    /* Returns F[axes][pairs] in the build's memory, NULL when out of memory, for pairs that
     * every axis rotates. The hook is NULL for other encodings. */
    const double *(*frequencies)(struct pe_build *build, const void *values);
    /* Returns the nanoseconds of prepare besides one MPFR multiplication a pair; NULL: none. */
    double (*plan_ns)(const void *values);
    size_t part;      /* offset of the member struct spatial */
    int64_t multiple; /* divisor that dim must have */
    const char *rows; /* the parameter that says how many rows there are */
    bool tiled;       /* vectors rotate adjacent pairs by rows tiled for section halves */
};

/* Returns the number of elements of a head that rotate. */
int64_t spatial_turned(const struct spatial *spatial);
/* Returns a layout with the parameters' pairing, width and profile, its points a grid of rows
 * and columns (axis 0: row, axis 1: column) after prefix_tokens. */
struct spatial_layout spatial_layout_of(const struct spatial *spatial);
/* Gives half of the pairs, n of them, to each of two axes, by the ladder base^(-i/n): the first
 * axis takes the first half of the pairs, or every other one from the first on. */
void spatial_lay_two(struct spatial_layout *layout, double base, enum spatial_order order,
                     enum spatial_pairs pairs);

/* Returns the nanoseconds that making a layout's table takes; the second is the plan_ns
 * hook. */
double spatial_layout_ns(const struct spatial_kind *kind, const void *values);
double spatial_table_plan_ns(const struct pe_args *args, const void *values);
/* Checks that the part of a head that rotates fits in the head and is made of whole pairs of
 * every axis; `name` names the head's width in errors. */
void spatial_check_turned(const struct spatial *spatial, int64_t multiple, const char *name,
                          struct pe_errors *errors);
/* The hooks of encodings whose outputs are SPATIAL_OUTPUT_ROWS. */
void spatial_table_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
size_t spatial_table_shape(const struct pe_args *args, const void *values, size_t output,
                           uint64_t dims[PE_MAX_RANK]);
void spatial_table_prepare(struct pe_build *build, const void *values);
#define SPATIAL_HOOKS(TYPE, PARAMS, KIND)                                                      \
    .family = PE_ROTARY, PE_TABLES(TYPE, PARAMS, outputs), .detail = &(KIND),                  \
    .resolve = spatial_table_resolve, .shape = spatial_table_shape,                            \
    .plan_ns = spatial_table_plan_ns, .prepare = spatial_table_prepare

size_t spatial_shape(const struct spatial_layout *layout, size_t output,
                     uint64_t dims[PE_MAX_RANK]);
/* Fills the six outputs, as far as they are wanted. */
void spatial_prepare(struct pe_build *build, const struct spatial_layout *layout);
/* Fills a group with coordinates before their scale, as position ids, or with sines and then
 * cosines in one row. False when out of memory. */
bool spatial_prepare_ids(struct pe_build *build, size_t group,
                         const struct spatial_layout *layout);
bool spatial_prepare_both(struct pe_build *build, size_t group,
                          const struct spatial_layout *layout);
/* Makes the table alone, in the build's memory, for encodings that rotate vectors by it; NULL
 * when out of memory. */
struct axes *spatial_axes(struct pe_build *build, const struct spatial_layout *layout);
