/* SPDX-License-Identifier: Apache-2.0
 * spatial_dense.h - outputs of encodings whose pairs are rotated by every axis at once. */
#pragma once

#include "core/encodings/spatial/spatial.h"

enum { DENSE_COS, DENSE_SIN, DENSE_ANGLES, DENSE_FREQUENCIES, DENSE_COORDINATES };

#define DENSE_BOUND "0.501 ULP; f64 1 ULP, where terms cancel 2^-52 of their size"

/* The error bound where frequencies are computed, each to 4 ULP. */
#define DENSE_BOUND_COMPUTED "0.501 ULP; f64 1 ULP, where terms cancel 2^-50 of their size"

#define DENSE_OUTPUT_ROWS(NAMES, FREQ_NAMES, BOUND, FREQ_BOUND)                                \
    [DENSE_COS] = {PE_OUTPUT("cos", PE_F32, "pos", "width"),                                   \
                   .label = "Cosines",                                                         \
                   .columns = PE_COLUMN_PAIRED,                                                \
                   .summary = "cosines of the angles by which pairs turn",                     \
                   .by_default = true,                                                         \
                   .uses = NAMES,                                                              \
                   .bound = BOUND},                                                            \
    [DENSE_SIN] = {PE_OUTPUT("sin", PE_F32, "pos", "width"),                                   \
                   .label = "Sines",                                                           \
                   .columns = PE_COLUMN_PAIRED,                                                \
                   .summary = "sines of the angles by which pairs turn",                       \
                   .group = "cos",                                                             \
                   .by_default = true,                                                         \
                   .uses = NAMES,                                                              \
                   .bound = BOUND},                                                            \
    [DENSE_ANGLES] = {PE_OUTPUT("angles", PE_F32, "pos", "pair"),                              \
                      .label = "Angles",                                                       \
                      .columns = PE_COLUMN_PAIR,                                               \
                      .summary = "angles by which pairs turn, in radians",                     \
                      .uses = NAMES,                                                           \
                      .bound = BOUND},                                                         \
    [DENSE_FREQUENCIES] =                                                                      \
        {PE_OUTPUT("frequencies", PE_F32, "axis", "pair"),                                     \
         .label = "Frequencies",                                                               \
         .columns = PE_COLUMN_PAIR,                                                            \
         .summary = "radians by which each pair turns for each unit of each coordinate",       \
         .uses = FREQ_NAMES,                                                                   \
         .bound = FREQ_BOUND},                                                                 \
    [DENSE_COORDINATES] = {                                                                    \
        PE_OUTPUT("coordinates", PE_F32, "pos", "axis"), .label = "Coordinates",               \
        .summary = "coordinates of each token, which the frequencies are multiplied by",       \
        .uses = NAMES, .bound = "0.501 ULP; f64 2 ULP"}

/* The hooks of encodings whose outputs are DENSE_OUTPUT_ROWS; their .detail has frequencies. */
void spatial_dense_table_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
size_t spatial_dense_table_shape(const struct pe_args *args, const void *values, size_t output,
                                 uint64_t dims[PE_MAX_RANK]);
void spatial_dense_table_prepare(struct pe_build *build, const void *values);
#define SPATIAL_DENSE_HOOKS(TYPE, KIND)                                                        \
    .family = PE_ROTARY, PE_TABLES(TYPE, params, outputs), .detail = &(KIND),                  \
    .resolve = spatial_dense_table_resolve, .shape = spatial_dense_table_shape,                \
    .plan_ns = spatial_table_plan_ns, .prepare = spatial_dense_table_prepare

/* Returns the number of heads in a matrix F of `columns` columns; 0: their width is unknown. */
size_t spatial_dense_heads(const struct spatial *spatial, size_t columns);
/* Checks that F has columns for whole heads. */
enum pe_status spatial_dense_check_heads(const struct spatial *spatial, size_t columns,
                                         struct pe_errors *errors);
/* Sets rotation and sign of a layout from F[axes][pairs]; returns false when out of memory. */
bool spatial_dense_rotation(struct pe_build *build, struct spatial_layout *layout,
                            const double *values);
