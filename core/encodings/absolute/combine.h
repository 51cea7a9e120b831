/* SPDX-License-Identifier: Apache-2.0
 * combine.h - what additive encodings do to vectors: each row is added to, put beside or
 * multiplied with the client's vector at its position. Rows of several axes (a grid, or frames
 * and a grid) are taken in row-major order, along one axis of the vectors or along several.
 *
 * An encoding that can be applied has `struct combine combine;` as the first member of its
 * struct, COMBINE_ROWS at the end of its parameters (its own dim is the first of them),
 * its rows as output 0, and a second descriptor with COMBINE_APPLY. */
#pragma once

#include "core/encoding.h"

struct combine {
    struct pe_tensor x;
    int64_t seq_axis;
    int combine, x_scale;
};

/* Declares parameters for a struct TYPE, the last COMBINE_COUNT of its list. The last of them
 * is dim once more, optional, since the vectors' width sets it: an encoding's own dim is its
 * first parameter, which the second descriptor leaves out. COMBINE_ROWS_ALONE serves encodings
 * whose rows have a width that is no dim. */
enum { COMBINE_COUNT = 5, COMBINE_COUNT_ALONE = 4 };
#define COMBINE_ROWS_ALONE(TYPE)                                                               \
    {PE_FIELD_OF(TYPE, combine, combine), .type = PE_CHOICE, .choices = combine_modes,         \
     .summary = "how a row joins its vector: added to it, put beside it, multiplied with it"}, \
        {PE_FIELD_OF(TYPE, combine, x_scale), .type = PE_CHOICE, .choices = combine_scales,    \
         .when = "!combine=zero", .summary = "factor on the vectors before a row joins them"}, \
        {PE_FIELD_OF(TYPE, combine, seq_axis),                                                 \
         .type = PE_INT,                                                                       \
         .optional = true,                                                                     \
         .min = 0,                                                                             \
         .max = PE_MAX_RANK - 2,                                                               \
         .summary =                                                                            \
             "axis of x that the positions lie along, or the first of several, counted "       \
             "from 0; 0 by default where x is a matrix"},                                      \
    {                                                                                          \
        PE_FIELD_OF(TYPE, combine, x),                                                         \
            .type = PE_TENSOR, .required = true,                                               \
            .summary = "vectors that rows join, one a position; the last "                     \
                       "axis is their width"                                                   \
    }
#define COMBINE_ROWS(TYPE)                                                                     \
    COMBINE_ROWS_ALONE(TYPE),                                                                  \
    {                                                                                          \
        PE_FIELD(TYPE, dim), .type = PE_INT, .optional = true, .min = 1, .max = 65536,         \
                             .summary = "width of a row; the width of x by default"            \
    }
#define COMBINE_NAMES "combine", "x_scale", "seq_axis", "x", "dim"

extern const struct pe_choice combine_modes[], combine_scales[];

/* Eight vectors of eight numbers for pictures: row i has its 2 in column i. */
#define COMBINE_PICTURE_X                                                                      \
    "2,0,0,0,0,0,0,0;0,2,0,0,0,0,0,0;0,0,2,0,0,0,0,0;0,0,0,2,0,0,0,0;0,0,0,0,2,0,0,0;"         \
    "0,0,0,0,0,2,0,0;0,0,0,0,0,0,2,0;0,0,0,0,0,0,0,2"

/* Declares the output, which depends on the parameters USES (COMBINE_NAMES among them; NULL:
 * all). */
#define COMBINE_OUTPUT(USES)                                                                   \
    {                                                                                          \
        PE_OUTPUT("x", PE_F32, "...", "dim"),                                                  \
            .label = "Vectors",                                                                \
            .summary = "the vectors joined with the rows of their positions",                  \
            .by_default = true, .uses = (USES),                                                \
            .bound =                                                                           \
                "0.501 ULP, where the two terms cancel 2^-51 of the larger; f64 2 ULP of it"   \
    }
/* Completes the second descriptor after its name, summary, source and examples. BASE is the
 * first descriptor, whose hooks are called; the parameters are those of `params` from number
 * FIRST on, and the output depends on USES. */
#define COMBINE_APPLY(TYPE, BASE, FAMILY, FIRST, USES)                                         \
    .family = (FAMILY), .kind = PE_INPUT, .rows_of = &(BASE),                                  \
    PE_TABLES_PART(TYPE, params, FIRST, PE_LEN(params) - (FIRST),                              \
                   ((const struct pe_output[]){COMBINE_OUTPUT(USES)})),                        \
    .resolve = combine_resolve, .check = combine_check, .shape = combine_shape,                \
    .plan_ns = combine_plan_ns, .prepare = combine_prepare

void combine_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void combine_check(const struct pe_args *args, const void *values, struct pe_errors *errors);
double combine_plan_ns(const struct pe_args *args, const void *values);
size_t combine_shape(const struct pe_args *args, const void *values, size_t output,
                     uint64_t dims[PE_MAX_RANK]);
void combine_prepare(struct pe_build *build, const void *values);
