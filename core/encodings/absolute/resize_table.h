/* SPDX-License-Identifier: Apache-2.0
 * resize_table.h - the resizing of a table, which resize-table-1d and resize-table-2d share. */
#pragma once

#include "core/encoding.h"
#include "core/math/resample/resample.h"

struct resize_table {
    struct pe_tensor table;
    int64_t prefix_tokens;
    int interpolation; /* enum resample_mode */
    bool antialias, align_corners;
    int padding_mode;
    double scale_trick, cubic_a;
};

extern const struct pe_choice resize_table_interpolations[], resize_table_paddings[];

/* Declares parameters for a struct TYPE with a member `struct resize_table PART`. */
#define RESIZE_TABLE_ROWS(TYPE, PART)                                                          \
    {PE_FIELD_OF(TYPE, PART, table), .type = PE_TENSOR, .table = true, .required = true,       \
     .summary = "the learned table, a row a position, prefix tokens first: 0;10;20;30"},       \
        {PE_FIELD_OF(TYPE, PART, prefix_tokens), .type = PE_INT, .min = 0, .max = 65536,       \
         .summary = "first rows of the table, which are kept as they are (class token, "       \
                    "registers)"},                                                             \
        {PE_FIELD_OF(TYPE, PART, interpolation), .type = PE_CHOICE,                            \
         .choices = resize_table_interpolations, .preset = RESAMPLE_CUBIC},                    \
        {PE_FIELD_OF(TYPE, PART, antialias), .type = PE_BOOL, .preset = 1,                     \
         .when = "interpolation=linear|bicubic&!align_corners",                                \
         .summary = "the kernel widens where the table shrinks, and leaves out what lies "     \
                    "beyond the ends, as antialias of torch"},                                 \
        {PE_FIELD_OF(TYPE, PART, align_corners), .type = PE_BOOL,                              \
         .when = "interpolation=linear|bicubic",                                               \
         .summary = "first and last rows keep their places, as align_corners of torch; there " \
                    "is no antialias then"},                                                   \
        {PE_FIELD_OF(TYPE, PART, scale_trick),                                                 \
         .type = PE_REAL,                                                                      \
         .min = 0,                                                                             \
         .max = 1,                                                                             \
         .when = "!align_corners&interpolation=nearest|nearest-exact|linear|bicubic|lanczos",  \
         .summary = "number added to the new size where the ratio of sizes is computed: 0.1 "  \
                    "in DINO and DINOv2"},                                                     \
        {PE_FIELD_OF(TYPE, PART, padding_mode), .type = PE_CHOICE,                             \
         .choices = resize_table_paddings,                                                     \
         .when = "interpolation=linear|bicubic&!align_corners&!antialias",                     \
         .summary = "what lies beyond the ends of the table, without antialias"},              \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, cubic_a),                                                      \
            .type = PE_REAL, .optional = true, .min = -1, .max = 0,                            \
            .when = "interpolation=bicubic",                                                   \
            .summary = "coefficient a of the cubic kernel; as in "                             \
                       "torch -0.5 with antialias, else -0.75"                                 \
    }

/* For the resolve hook: sets what the interpolation decides. */
void resize_table_resolve(struct resize_table *resize);
/* For the check hook: the table must have rows beside the prefix; *rows receives their
 * number. */
enum pe_status resize_table_check(const struct resize_table *resize, uint64_t *rows,
                                  struct pe_errors *errors);
/* Adds a problem about the parameter `name` where interpolation=tile would cut the table. */
void resize_table_check_tile(const struct resize_table *resize, const char *name,
                             const struct pe_grid *from, const struct pe_grid *to,
                             struct pe_errors *errors);
/* Returns the nanoseconds that making the weights takes. */
double resize_table_plan_ns(const struct resize_table *resize, const struct pe_grid *from,
                            const struct pe_grid *to);
/* Fills group 0 with the prefix and the table of grid `from` at the size of `to`. */
void resize_table_prepare(struct pe_build *build, const struct resize_table *resize,
                          const struct pe_grid *from, const struct pe_grid *to);
