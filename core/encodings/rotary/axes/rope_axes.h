/* SPDX-License-Identifier: Apache-2.0
 * rope_axes.h - the arguments of rope-axes, for its tables and for its vectors. */
#ifndef PE_ENCODINGS_ROPE_AXES_H
#define PE_ENCODINGS_ROPE_AXES_H

#include "core/encodings/spatial/spatial_apply.h"
#include "core/encodings/spatial/spatial_source.h"

struct rope_axes {
    struct spatial spatial;
    struct spatial_source source;
    int preset, split, order, coords;
    struct pe_reals axes_dim, axes_base, axes_ntk, axes_factor, crops_coords, base_sizes;
    double ntk_factor, linear_factor, fps, base_fps;
};

extern const struct pe_choice rope_axes_presets[], rope_axes_splits[], rope_axes_orders[],
    rope_axes_coords[];

#define ROPE_AXES_LIST(TYPE, FIELD, LEAST, SUMMARY)                                            \
    {                                                                                          \
        PE_FIELD(TYPE, FIELD), .type = PE_REALS, .min = (LEAST), .max = 1e18,                  \
                               .summary = (SUMMARY)                                            \
    }
#define ROPE_AXES_REAL(TYPE, FIELD, LEAST, SUMMARY)                                            \
    {                                                                                          \
        PE_FIELD(TYPE, FIELD), .type = PE_REAL, .optional = true, .min = (LEAST), .max = 1e9,  \
                               .summary = (SUMMARY)                                            \
    }

/* Rows of parameters of tables and vectors, but for dim. */
#define ROPE_AXES_ROWS(TYPE)                                                                   \
    {PE_FIELD(TYPE, preset),                                                                   \
     .type = PE_CHOICE,                                                                        \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .choices = rope_axes_presets,                                                             \
     .summary = "whose axes, base and coordinates"},                                           \
        ROPE_AXES_LIST(TYPE, axes_dim, 2, "width of each axis: 16,56,56"),                     \
        {PE_FIELD(TYPE, split), .type = PE_CHOICE, .optional = true,                           \
         .choices = rope_axes_splits, .summary = "how dim is divided among axes"},             \
        SPATIAL_ROW_BASE(TYPE, spatial, 10000),                                                \
        ROPE_AXES_LIST(TYPE, axes_base, 1, "a base of its own for each axis"),                 \
        ROPE_AXES_LIST(TYPE, axes_ntk, 1e-9,                                                   \
                       "s of each axis: its base is multiplied by s^(d/(d-2)) (Cosmos)"),      \
        ROPE_AXES_LIST(TYPE, axes_factor, 1e-9,                                                \
                       "what the coordinates of each axis are divided by (Allegro)"),          \
        {PE_FIELD(TYPE, order), .type = PE_CHOICE, .choices = rope_axes_orders,                \
         .summary = "how pairs of different axes lie"},                                        \
        ROPE_AXES_REAL(TYPE, ntk_factor, 1e-9, "alternating: multiplies the base"),            \
        ROPE_AXES_REAL(TYPE, linear_factor, 1e-9, "alternating: divides the frequencies"),     \
        {PE_FIELD(TYPE, coords), .type = PE_CHOICE, .choices = rope_axes_coords,               \
         .summary = "grid_sizes: where coordinates start"},                                    \
        {PE_FIELD(TYPE, crops_coords),                                                         \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -65536,                                                                        \
         .max = 65536,                                                                         \
         .summary = "grid_sizes: top,left;bottom,right that the "                              \
                    "rows and columns run over (CogVideoX)"},                                  \
        ROPE_AXES_LIST(TYPE, base_sizes, 1e-9,                                                 \
                       "frequency-major: sizes of frames, rows, columns that make 1"),         \
        ROPE_AXES_REAL(TYPE, fps, 1e-9, "frames a second: time is scaled by base_fps/fps"),    \
        ROPE_AXES_REAL(TYPE, base_fps, 1e-9, "frames a second of training, 24 by default"),    \
        {PE_FIELD_OF(TYPE, spatial, pairing), .type = PE_CHOICE,                               \
         .choices = spatial_section_pairings, .summary = "which coordinates rotate together"}, \
        SPATIAL_SOURCE_ROWS(TYPE, source), SPATIAL_ROW_PROFILE(TYPE, spatial)

#define ROPE_AXES_FREQ_NAMES                                                                   \
    "axes_dim", "split", "base", "axes_base", "axes_ntk", "order", "ntk_factor",               \
        "linear_factor", "profile"
#define ROPE_AXES_NAMES                                                                        \
    ROPE_AXES_FREQ_NAMES, "axes_factor", "coords", "crops_coords", "base_sizes", "fps",        \
        "base_fps", "pairing", SPATIAL_SOURCE_NAMES

extern const struct spatial_kind rope_axes_kind;

#endif
