/* SPDX-License-Identifier: Apache-2.0
 * rope_axes.h - the parameters of rope-axes. */
#pragma once

#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_source.h"

struct rope_axes {
    struct spatial spatial;
    struct spatial_source source;
    int preset, split, axis_order, coord_start;
    struct pe_reals axes_dim, axes_base, axes_ntk, axes_factor, crops_coords, base_sizes;
    double ntk_factor, linear_factor, fps, base_fps;
    int64_t temporal_skip_len;
};

enum { SPLIT_SIXTHS, SPLIT_EIGHTHS, SPLIT_THIRDS };
enum { ORDER_BLOCKS, ORDER_ALTERNATING, ORDER_FREQUENCY_MAJOR };
enum { START_ZERO, START_CENTRED };

extern const struct pe_choice rope_axes_presets[], rope_axes_apply_presets[],
    rope_axes_splits[], rope_axes_orders[], rope_axes_starts[];

/* Declare a list with a number an axis, and an optional number; both have an effect WHEN. */
#define ROPE_AXES_LIST(FIELD, LEAST, WHEN, ORIGIN, GROUP, SUMMARY)                             \
    {                                                                                          \
        PE_FIELD(struct rope_axes, FIELD), .type = PE_REALS, .min = (LEAST), .max = 1e18,      \
                                           .when = (WHEN), PE_OWN(ORIGIN, GROUP, ADVANCED),    \
                                           .summary = (SUMMARY)                                \
    }
#define ROPE_AXES_REAL(FIELD, LEAST, WHEN)                                                     \
    PE_FIELD(struct rope_axes, FIELD), .type = PE_REAL, .optional = true, .min = (LEAST),      \
                                       .max = 1e9, .when = (WHEN)

/* Declares the parameters of the tables and of the vectors, except dim. */
#define ROPE_AXES_ROWS(PRESETS)                                                                \
    {PE_FIELD(struct rope_axes, preset),                                                       \
     .type = PE_CHOICE,                                                                        \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .choices = (PRESETS),                                                                     \
     .summary =                                                                                \
         "a model's axes, base and coordinates: sets several parameters, each of which "       \
         "may be given"},                                                                      \
        {PE_FIELD(struct rope_axes, axes_dim),                                                 \
         .type = PE_REALS,                                                                     \
         .min = 2,                                                                             \
         .max = 1e18,                                                                          \
         .when = "axis_order=blocks",                                                          \
         PE_OWN("black-forest-labs/flux", SHAPE, BASIC),                                       \
         .summary = "columns of each axis, even numbers, as 16,56,56; their sum is dim"},      \
        {PE_FIELD(struct rope_axes, split),                                                    \
         .type = PE_CHOICE,                                                                    \
         .optional = true,                                                                     \
         .choices = rope_axes_splits,                                                          \
         .when = "axis_order=blocks&!axes_dim",                                                \
         PE_OWN("posenc", SHAPE, BASIC),                                                       \
         .summary = "how the columns of dim are divided among time, rows and columns"},        \
        {PE_FIELD_OF(struct rope_axes, spatial, base),                                         \
         .type = PE_REAL,                                                                      \
         .min = 1,                                                                             \
         .max = 1e18,                                                                          \
         .preset = 10000,                                                                      \
         .when = "!axes_base"},                                                                \
        ROPE_AXES_LIST(                                                                        \
            axes_base, 1, "axis_order=blocks", "posenc", FREQUENCIES,                          \
            "base of the frequencies of each axis, as 10000,100; takes the place of base"),    \
        ROPE_AXES_LIST(                                                                        \
            axes_ntk, 1e-9, "axis_order=blocks", "posenc", FREQUENCIES,                        \
            "factor s of each axis, whose base is multiplied by s^(d/(d-2)), d the "           \
            "columns of the axis (Cosmos)"),                                                   \
        ROPE_AXES_LIST(axes_factor, 1e-9, "!axis_order=frequency-major", "posenc", POSITIONS,  \
                       "divisor of the coordinates of each axis, as 2,3,3 (Allegro)"),         \
        {PE_FIELD(struct rope_axes, axis_order), .type = PE_CHOICE,                            \
         .choices = rope_axes_orders,                                                          \
         .summary = "how the pairs of different axes follow each other in a vector"},          \
        {ROPE_AXES_REAL(ntk_factor, 1e-9, "axis_order=alternating"),                           \
         .summary = "factor on the base (Lumina-Next)"},                                       \
        {ROPE_AXES_REAL(linear_factor, 1e-9, "axis_order=alternating"),                        \
         PE_OWN("diffusers", FREQUENCIES, ADVANCED),                                           \
         .summary = "divisor of the frequencies (Lumina-Next)"},                               \
        {PE_FIELD(struct rope_axes, coord_start),                                              \
         .type = PE_CHOICE,                                                                    \
         .choices = rope_axes_starts,                                                          \
         .when = "grid_sizes&!axis_order=frequency-major",                                     \
         PE_OWN("posenc", POSITIONS, ADVANCED),                                                \
         .summary = "where the rows and columns of a grid begin to count"},                    \
        {PE_FIELD(struct rope_axes, crops_coords),                                             \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -65536,                                                                        \
         .max = 65536,                                                                         \
         .when = "grid_sizes&coord_start=zero&!axis_order=frequency-major",                    \
         PE_OWN("diffusers", POSITIONS, ADVANCED),                                             \
         .summary = "top,left;bottom,right of the crop that rows and columns run over, as "    \
                    "0,0;30,45 (CogVideoX)"},                                                  \
        {PE_FIELD(struct rope_axes, base_sizes),                                               \
         .type = PE_REALS,                                                                     \
         .required = true,                                                                     \
         .min = 1e-9,                                                                          \
         .max = 1e18,                                                                          \
         .when = "axis_order=frequency-major",                                                 \
         PE_OWN("posenc", POSITIONS, ADVANCED),                                                \
         .summary =                                                                            \
             "frames, rows and columns that coordinates are divided by, as 20,2048,2048 "      \
             "(LTX-Video)"},                                                                   \
        {ROPE_AXES_REAL(fps, 1e-9, "axis_order=blocks"),                                       \
         PE_OWN("diffusers", POSITIONS, ADVANCED),                                             \
         .summary = "frames a second of the video: times are multiplied by base_fps / fps"},   \
        {PE_FIELD(struct rope_axes, base_fps),                                                 \
         .type = PE_REAL,                                                                      \
         .min = 1e-9,                                                                          \
         .max = 1e9,                                                                           \
         .preset = 24,                                                                         \
         .when = "fps",                                                                        \
         PE_OWN("diffusers", POSITIONS, ADVANCED),                                             \
         .summary = "frames a second in training"},                                            \
        {PE_FIELD(struct rope_axes, temporal_skip_len),                                        \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 2,                                                                             \
         .max = 65536,                                                                         \
         .when = "grid_sizes&!axis_order=frequency-major",                                     \
         PE_OWN("diffusers", POSITIONS, ADVANCED),                                             \
         .summary = "frames that two frames are the first and the last of, as 8 in "           \
                    "ChronoEdit; other numbers of frames count from 0"},                       \
        {PE_FIELD_OF(struct rope_axes, spatial, pairing), .type = PE_CHOICE,                   \
         .choices = spatial_section_pairings},                                                 \
        SPATIAL_SOURCE_ROWS(struct rope_axes, source),                                         \
        SPATIAL_ROW_PROFILE(struct rope_axes, spatial)

#define ROPE_AXES_FREQ_NAMES                                                                   \
    "axes_dim", "split", "base", "axes_base", "axes_ntk", "axis_order", "ntk_factor",          \
        "linear_factor", "profile"
#define ROPE_AXES_NAMES                                                                        \
    ROPE_AXES_FREQ_NAMES, "axes_factor", "coord_start", "crops_coords", "base_sizes", "fps",   \
        "base_fps", "temporal_skip_len", "pairing", SPATIAL_SOURCE_NAMES
