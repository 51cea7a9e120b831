/* SPDX-License-Identifier: Apache-2.0
 * lie.h - rotations by whole matrices, one a position, head and block of coordinates: LieRE
 * and STRING share them. The matrices, which are computed while planning, are an output, or the
 * /apply twin multiplies vectors by them. */
#pragma once

#include "core/encodings/rotary/vectors.h"
#include "core/encodings/spatial/spatial_source.h"
#include "core/math/number/dd.h"

enum { LIE_MATRIX };
enum { LIE_BLOCK_MOST = 128 };

struct lie {
    struct spatial_source source;
    int64_t dim, heads;
    struct vectors vectors;
};

/* The layout of the matrices: `blocks` matrices of block x block for each point and head. */
struct lie_layout {
    struct axes_points points;
    size_t heads, blocks, block;
    bool led; /* points.before is 1, and that token is at `lead` on every axis */
    double lead;
};

/* Computes the matrix of a point, head and block. `at` has the point's coordinates: hi alone is
 * within 2 ULP. `scratch` has LIE_SCRATCH times block^2 doubles. */
enum { LIE_SCRATCH = 14 };
typedef void lie_turn(const void *context, const struct dd *at, size_t head, size_t block,
                      double *out, double *scratch);

/* Writes the vector of a head turned at a point, or back, as its matrix would turn it. */
typedef void lie_spin(const void *context, const struct dd *at, size_t head, bool inverse,
                      const double *vector, double *out);

/* The .detail of an encoding of matrices and of its /apply twin. */
struct lie_kind {
    struct lie_layout (*layout)(const struct pe_args *args, const void *values);
    void (*check)(const struct pe_args *args, const void *values, struct pe_errors *errors);
    /* Returns the context of turn, in the build's memory; NULL when out of memory. */
    const void *(*context)(struct pe_build *build, const void *values);
    lie_turn *turn;
    /* Returns the operations of the matrices, or of the context alone where vectors spin; NULL:
     * those of exponentials. */
    double (*plan_ns)(const struct pe_args *args, const void *values,
                      const struct lie_layout *layout);
    lie_spin *spin; /* NULL: /apply keeps the matrices of all positions */
    size_t part;    /* offset of struct lie */
};

/* The fields of a matrix of learned numbers, in a parameter's row. */
#define LIE_NUMBERS(TYPE, FIELD)                                                               \
    PE_FIELD(TYPE, FIELD), .type = PE_REALS, .matrix = true, .min = -1e6, .max = 1e6
#define LIE_ROW_HEADS(TYPE, PART, WHAT)                                                        \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, heads),                                                        \
            .type = PE_INT, .min = 1, .max = 1024, .preset = 1,                                \
            .summary = "number of heads that have " WHAT " of their own"                       \
    }
#define LIE_ROW_DIM(TYPE, PART)                                                                \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, dim), .type = PE_INT, .required = true, .min = 1,              \
                                      .max = 65536, .summary = "width of a head"               \
    }
#define LIE_APPLY_ROWS(TYPE, PART)                                                             \
    VECTORS_ROW_DIM(TYPE, PART.dim), VECTORS_ROW_HEAD_AXIS(TYPE, PART.vectors),                \
        {PE_FIELD_OF(TYPE, PART.vectors, inverse), .type = PE_BOOL, .optional = true,          \
         .summary = "turn the vectors back, by the transposed matrices"},                      \
        VECTORS_ROWS(TYPE, PART.vectors)
#define LIE_APPLY_NAMES "dim", "head_axis", "inverse", "seq_axis"

#define LIE_BOUND                                                                              \
    "absolute b^2 (2 + n) 2^-47 of blocks of b, n the norm of the generator in radians, "      \
    "rounded once"
#define LIE_BLOCKS "rotation matrices, one for each block of columns of a vector: y = matrix x"
#define LIE_OUTPUT_ROW(SUMMARY, BOUND, ...)                                                    \
    [LIE_MATRIX] = {PE_OUTPUT("matrix", PE_F32, "pos", "heads", "block", "row", "column"),     \
                    .label = "Matrices",                                                       \
                    .summary = SUMMARY,                                                        \
                    .one_of = SPATIAL_SOURCE_ONE,                                              \
                    .by_default = true,                                                        \
                    .uses = PE_WORDS("dim", __VA_ARGS__),                                      \
                    .bound = BOUND}
#define LIE_APPLY_OUTPUT_ROWS(...)                                                             \
    VECTORS_OUTPUT_ROWS("rotated", LIE_BOUND ", times the block's length", LIE_APPLY_NAMES,    \
                        __VA_ARGS__)

/* Checks that generators B = U - U^T turn by at most 2^20 radians at these points, where the U
 * of all axes together have this norm at coordinates of 1; `name` is their parameter. */
void lie_check_angles(const struct axes_points *points, double norm, const char *name,
                      struct pe_errors *errors);

/* The hooks of an encoding of matrices and of its /apply twin. */
void lie_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
size_t lie_shape(const struct pe_args *args, const void *values, size_t output,
                 uint64_t dims[PE_MAX_RANK]);
double lie_plan_ns(const struct pe_args *args, const void *values);
void lie_prepare(struct pe_build *build, const void *values);
void lie_apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
void lie_apply_prepare(struct pe_build *build, const void *values);

/* Complete the two descriptors after names, examples and revision. */
#define LIE_HOOKS(TYPE, PARAMS, OUTPUTS, KIND)                                                 \
    .family = PE_ROTARY, .kind = PE_WHOLE, PE_TABLES(TYPE, PARAMS, OUTPUTS),                   \
    .detail = &(KIND), .resolve = lie_resolve, .shape = lie_shape, .plan_ns = lie_plan_ns,     \
    .prepare = lie_prepare
#define LIE_APPLY_HOOKS(TYPE, PARAMS, OUTPUTS, KIND)                                           \
    .family = PE_ROTARY, .kind = PE_INPUT, PE_TABLES(TYPE, PARAMS, OUTPUTS),                   \
    .detail = &(KIND), .resolve = lie_apply_resolve, .plan_ns = lie_plan_ns,                   \
    .prepare = lie_apply_prepare
