/* SPDX-License-Identifier: Apache-2.0
 * rope_axes.h - the arguments of rope-axes, for its tables and for its vectors. */
#ifndef PE_ENCODINGS_ROPE_AXES_H
#define PE_ENCODINGS_ROPE_AXES_H

#include "core/encodings/spatial/spatial.h"
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

#define ROPE_AXES_LIST(TYPE, PART, FIELD, LEAST, SUMMARY)                                      \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, FIELD), .type = PE_REALS, .min = (LEAST), .max = 1e18,         \
                                        .summary = (SUMMARY)                                   \
    }
#define ROPE_AXES_REAL(TYPE, PART, FIELD, LEAST, SUMMARY)                                      \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, FIELD), .type = PE_REAL, .optional = true, .min = (LEAST),     \
                                        .max = 1e9, .summary = (SUMMARY)                       \
    }

/* Rows of parameters for a struct TYPE with a member `struct rope_axes PART`. */
#define ROPE_AXES_ROWS(TYPE, PART)                                                             \
    {PE_FIELD_OF(TYPE, PART, preset),                                                          \
     .type = PE_CHOICE,                                                                        \
     .optional = true,                                                                         \
     .expanded = true,                                                                         \
     .choices = rope_axes_presets,                                                             \
     .summary = "whose axes, base and coordinates"},                                           \
        {PE_FIELD_OF(TYPE, PART.spatial, dim),                                                 \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 2,                                                                             \
         .max = 65536,                                                                         \
         .multiple_of = 2,                                                                     \
         .summary = "width of a head; the sum of axes_dim"},                                   \
        ROPE_AXES_LIST(TYPE, PART, axes_dim, 2, "width of each axis: 16,56,56"),               \
        {PE_FIELD_OF(TYPE, PART, split), .type = PE_CHOICE, .optional = true,                  \
         .choices = rope_axes_splits, .summary = "how dim is divided among axes"},             \
        SPATIAL_ROW_BASE(TYPE, PART.spatial, 10000),                                           \
        ROPE_AXES_LIST(TYPE, PART, axes_base, 1, "a base of its own for each axis"),           \
        ROPE_AXES_LIST(TYPE, PART, axes_ntk, 1e-9,                                             \
                       "s of each axis: its base is multiplied by s^(d/(d-2)) (Cosmos)"),      \
        ROPE_AXES_LIST(TYPE, PART, axes_factor, 1e-9,                                          \
                       "what the coordinates of each axis are divided by (Allegro)"),          \
        {PE_FIELD_OF(TYPE, PART, order), .type = PE_CHOICE, .choices = rope_axes_orders,       \
         .summary = "how pairs of different axes lie"},                                        \
        ROPE_AXES_REAL(TYPE, PART, ntk_factor, 1e-9, "alternating: multiplies the base"),      \
        ROPE_AXES_REAL(TYPE, PART, linear_factor, 1e-9,                                        \
                       "alternating: divides the frequencies"),                                \
        {PE_FIELD_OF(TYPE, PART, coords), .type = PE_CHOICE, .choices = rope_axes_coords,      \
         .summary = "grid_sizes: where coordinates start"},                                    \
        {PE_FIELD_OF(TYPE, PART, crops_coords),                                                \
         .type = PE_REALS,                                                                     \
         .matrix = true,                                                                       \
         .min = -65536,                                                                        \
         .max = 65536,                                                                         \
         .summary = "grid_sizes: top,left;bottom,right that the "                              \
                    "rows and columns run over (CogVideoX)"},                                  \
        ROPE_AXES_LIST(TYPE, PART, base_sizes, 1e-9,                                           \
                       "frequency-major: sizes of frames, rows, columns that make 1"),         \
        ROPE_AXES_REAL(TYPE, PART, fps, 1e-9,                                                  \
                       "frames a second: time is scaled by base_fps/fps"),                     \
        ROPE_AXES_REAL(TYPE, PART, base_fps, 1e-9,                                             \
                       "frames a second of training, 24 by default"),                          \
        SPATIAL_SOURCE_ROWS(TYPE, PART.source), SPATIAL_ROW_PROFILE(TYPE, PART.spatial)

#define ROPE_AXES_FREQ_NAMES                                                                   \
    "dim", "axes_dim", "split", "base", "axes_base", "axes_ntk", "order", "ntk_factor",        \
        "linear_factor", "profile"
#define ROPE_AXES_NAMES                                                                        \
    ROPE_AXES_FREQ_NAMES, "axes_factor", "coords", "crops_coords", "base_sizes", "fps",        \
        "base_fps", SPATIAL_SOURCE_NAMES

/* For the hooks: wants_points says that a wanted output has rows. */
enum pe_status rope_axes_resolve(struct rope_axes *axes, bool wants_points,
                                 struct pe_errors *errors);
struct spatial_layout rope_axes_layout(const struct rope_axes *axes);

#endif
