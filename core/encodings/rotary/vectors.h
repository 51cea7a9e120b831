/* SPDX-License-Identifier: Apache-2.0
 * vectors.h - the tensors of encodings that work on the client's vectors (rope/apply and its
 * relatives): x, or q and k, any leading axes, of which one is the sequence. Their outputs are
 * numbers VECTORS_X, VECTORS_Q and VECTORS_K, each in the group of its own number. */
#ifndef PE_ENCODINGS_VECTORS_H
#define PE_ENCODINGS_VECTORS_H

#include "core/encoding.h"
#include "core/math/rotate.h"

enum { VECTORS_X, VECTORS_Q, VECTORS_K, VECTORS_COUNT };

struct vectors {
    struct pe_tensor x, q, k;
    int64_t seq_axis;
};

/* Rows of parameters for a struct TYPE with a member `struct vectors PART`. */
#define VECTORS_ROWS(TYPE, PART)                                                               \
    {PE_FIELD_OF(TYPE, PART, seq_axis),                                                        \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 0,                                                                                 \
     .max = PE_MAX_RANK - 2,                                                                   \
     .summary = "axis of the positions; 0 by default for rank 2"},                             \
        {PE_FIELD_OF(TYPE, PART, x), .type = PE_TENSOR, .required = true,                      \
         .summary = "vectors: the last axis is dim"},                                          \
        {PE_FIELD_OF(TYPE, PART, q), .type = PE_TENSOR, .required = true,                      \
         .summary = "queries: the last axis is dim"},                                          \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, k), .type = PE_TENSOR, .required = true,                       \
                                    .summary = "keys: the last axis is dim"                    \
    }

/* For the resolve hook, in this order. All wanted tensors must hold reals and have the same
 * last axis; *dim, if given, must say the same, else it is set. */
enum pe_status vectors_resolve_dim(const struct pe_args *args, const struct vectors *vectors,
                                   int64_t *dim, struct pe_errors *errors);
/* Sets seq_axis where it follows from the rank; each wanted tensor must have `positions`
 * (named by the parameter `name`) along it. */
enum pe_status vectors_resolve_axis(const struct pe_args *args, struct vectors *vectors,
                                    const char *name, uint64_t positions,
                                    struct pe_errors *errors);

const struct pe_tensor *vectors_tensor(const struct vectors *vectors, size_t number);
/* The shape hook: an output has the shape of its tensor. */
size_t vectors_shape(const struct vectors *vectors, size_t output, uint64_t dims[PE_MAX_RANK]);
/* pe_build_fill for every wanted tensor by a copy of `like`, whose dtypes, dim, input, places
 * and inner are set here. The tensor parameters are x, q and k in this order. False when out
 * of memory. */
bool vectors_prepare(struct pe_build *build, const struct vectors *vectors,
                     const struct rotate *like);

#endif
