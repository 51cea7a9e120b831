/* SPDX-License-Identifier: Apache-2.0
 * resize_table.h - the resizing of a table, which resize-table-1d and resize-table-2d share. */
#pragma once

#include "core/encoding.h"
#include "core/math/resample/resample.h"

struct resize_table {
    struct pe_tensor table;
    int64_t num_prefix_tokens;
    int mode; /* enum resample_mode */
    bool antialias, align_corners;
    double scale_trick, cubic_a;
};

extern const struct pe_choice resize_table_modes[];

/* Declares parameters for a struct TYPE with a member `struct resize_table PART`. */
#define RESIZE_TABLE_ROWS(TYPE, PART)                                                          \
    {PE_FIELD_OF(TYPE, PART, table), .type = PE_TENSOR, .table = true, .required = true,       \
     .summary = "the learned rows, prefix tokens first: 0;10;20;30"},                          \
        {PE_FIELD_OF(TYPE, PART, num_prefix_tokens), .type = PE_INT, .min = 0, .max = 65536,   \
         .summary = "rows in front that are kept as they are (class token, registers)"},       \
        {PE_FIELD_OF(TYPE, PART, mode), .type = PE_CHOICE, .choices = resize_table_modes,      \
         .preset = RESAMPLE_CUBIC, .summary = "how values between places are made"},           \
        {PE_FIELD_OF(TYPE, PART, antialias), .type = PE_BOOL, .preset = 1,                     \
         .summary = "the kernel widens when the table shrinks, and ends are left out"},        \
        {PE_FIELD_OF(TYPE, PART, align_corners), .type = PE_BOOL,                              \
         .when = "mode=linear|bicubic",                                                        \
         .summary = "first and last places fall together; without antialias"},                 \
        {PE_FIELD_OF(TYPE, PART, scale_trick),                                                 \
         .type = PE_REAL,                                                                      \
         .min = 0,                                                                             \
         .max = 1,                                                                             \
         .when = "!align_corners",                                                             \
         .summary = "added to the new length in the ratio only; DINO's 0.1"},                  \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, cubic_a), .type = PE_REAL, .optional = true, .min = -1,        \
                                          .max = 0, .when = "mode=bicubic",                    \
                                          .summary = "slope of the kernel at 1; -0.5 with "    \
                                                     "antialias, else -0.75"                   \
    }

/* For the resolve hook: sets the defaults of the mode and reports contradicting parameters. */
enum pe_status resize_table_resolve(struct resize_table *resize, bool antialias_given,
                                    struct pe_errors *errors);
/* For the check hook: the table must have rows beside the prefix; *rows receives their
 * number. */
enum pe_status resize_table_check(const struct resize_table *resize, uint64_t *rows,
                                  struct pe_errors *errors);
/* Returns the nanoseconds that making the weights takes. */
double resize_table_plan_ns(const struct resize_table *resize, const struct pe_grid *from,
                            const struct pe_grid *to);
/* Fills group 0 with the prefix and the table of grid `from` at the size of `to`. */
void resize_table_prepare(struct pe_build *build, const struct resize_table *resize,
                          const struct pe_grid *from, const struct pe_grid *to);
