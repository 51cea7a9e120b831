/* SPDX-License-Identifier: Apache-2.0
 * spatial_apply.h - vectors rotated by the tables of encodings with several axes. Such an
 * encoding has its table's parameters without dim and width, these rows and these hooks. */
#pragma once

#include "core/encodings/spatial/spatial.h"
#include "core/math/axes/axes_turn.h"

/* Declare the parameters of a struct TYPE with a member `struct spatial PART`, the names that
 * outputs depend on besides the encoding's own, and the outputs. */
#define SPATIAL_APPLY_ROWS(TYPE, PART)                                                         \
    VECTORS_ROW_DIM(TYPE, PART.dim), SPATIAL_ROW_ROTARY_DIM(TYPE, PART),                       \
        {PE_FIELD_OF(TYPE, PART, offset_dims), .type = PE_INT, .min = 0, .max = 65534,         \
         .summary = "number of first elements of a head, which do not rotate"},                \
        VECTORS_TURN_ROWS(TYPE, PART.vectors), VECTORS_ROWS(TYPE, PART.vectors)
#define SPATIAL_APPLY_NAMES "dim", "rotary_dim", "offset_dims", VECTORS_TURN_NAMES
#define SPATIAL_APPLY_OUTPUT_ROWS(...)                                                         \
    VECTORS_OUTPUT_ROWS("rotated", VECTORS_BOUND, SPATIAL_APPLY_NAMES, __VA_ARGS__)

/* Declares parameters without inverse: rotation by a tiled row has no inverse. */
#define SPATIAL_TILED_ROWS(TYPE, PART)                                                         \
    VECTORS_ROW_DIM(TYPE, PART.dim), VECTORS_ROW_MATH(TYPE, PART.vectors),                     \
        VECTORS_ROWS(TYPE, PART.vectors)
#define SPATIAL_TILED_OUTPUT_ROWS(...)                                                         \
    VECTORS_OUTPUT_ROWS("rotated", VECTORS_BOUND, "dim", "rotate_math", "seq_axis", __VA_ARGS__)

/* The grid of pictures has as many tokens as their vectors have rows. */
#define SPATIAL_PICTURE_VECTORS                                                                \
    "&x=" VECTORS_PICTURE_ROWS "&q=" VECTORS_PICTURE_ROWS "&k=" VECTORS_PICTURE_ROWS
#define SPATIAL_PICTURE "grid=2x4" SPATIAL_PICTURE_VECTORS

/* Completes a descriptor of vectors after names, examples and revision. */
#define SPATIAL_APPLY_HOOKS(TYPE, PARAMS, OUTPUTS, KIND)                                       \
    .family = PE_ROTARY, .kind = PE_INPUT, PE_TABLES(TYPE, PARAMS, OUTPUTS),                   \
    .detail = &(KIND), .resolve = spatial_apply_resolve, .plan_ns = spatial_apply_plan_ns,     \
    .prepare = spatial_apply_prepare

/* The hooks of descriptors of vectors. */
void spatial_apply_resolve(struct pe_args *args, void *values, struct pe_errors *errors);
double spatial_apply_plan_ns(const struct pe_args *args, const void *values);
void spatial_apply_prepare(struct pe_build *build, const void *values);

/* Runs the steps of prepare for an encoding that has its layout already, with a rotation where
 * it needs one; the vectors are rotated from element `offset` on. */
void spatial_apply_build(struct pe_build *build, struct spatial_layout *layout,
                         const struct vectors *vectors, size_t offset, bool tiled);
