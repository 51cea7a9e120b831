/* SPDX-License-Identifier: Apache-2.0
 * vectors.h - the tensors of encodings that work on the client's vectors (rope/apply and its
 * relatives): x, or q and k, any leading axes, of which one is the sequence. Their outputs are
 * numbers VECTORS_X, VECTORS_Q and VECTORS_K, each in the group of its own number. */
#pragma once

#include "core/encoding.h"
#include "core/math/rotate/rotate.h"

enum { VECTORS_X, VECTORS_Q, VECTORS_K, VECTORS_COUNT };

enum vectors_pairing { VECTORS_HALF, VECTORS_ADJACENT };
enum vectors_math { VECTORS_UPCAST, VECTORS_IN_DTYPE };

struct vectors {
    struct pe_tensor x, q, k;
    int64_t seq_axis, head_axis; /* head_axis is 0 unless the encoding declares it */
    int rotate_math;
    bool inverse;
};

extern const struct pe_choice vectors_pairings[], vectors_maths[];

/* Declares parameters for a struct TYPE with a member `struct vectors PART`. */
#define VECTORS_ROWS(TYPE, PART)                                                               \
    {PE_FIELD_OF(TYPE, PART, seq_axis),                                                        \
     .type = PE_INT,                                                                           \
     .optional = true,                                                                         \
     .min = 0,                                                                                 \
     .max = PE_MAX_RANK - 2,                                                                   \
     .summary = "axis of the tensor along which positions run; 0 by default for a matrix"},    \
        {PE_FIELD_OF(TYPE, PART, x), .type = PE_TENSOR, .required = true,                      \
         .summary = "vectors to be encoded; the last axis is dim"},                            \
        {PE_FIELD_OF(TYPE, PART, q), .type = PE_TENSOR, .required = true,                      \
         .summary = "query vectors; the last axis is dim"},                                    \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, k), .type = PE_TENSOR, .required = true,                       \
                                    .summary = "key vectors; the last axis is dim"             \
    }

/* The vectors of pictures: eight equal rows, which show the turn of each position. */
#define VECTORS_PICTURE_ROW "1,1,1,1,0,0,0,0"
#define VECTORS_PICTURE_ROWS                                                                   \
    VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW                        \
                        ";" VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW                        \
                        ";" VECTORS_PICTURE_ROW ";" VECTORS_PICTURE_ROW                        \
                        ";" VECTORS_PICTURE_ROW
#define VECTORS_PICTURE                                                                        \
    "pos=0:8&x=" VECTORS_PICTURE_ROWS "&q=" VECTORS_PICTURE_ROWS "&k=" VECTORS_PICTURE_ROWS

/* Declare two parameters of encodings that rotate pairs, and their names with seq_axis. */
#define VECTORS_ROW_MATH(TYPE, PART)                                                           \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, rotate_math), .type = PE_CHOICE, .choices = vectors_maths      \
    }
#define VECTORS_TURN_ROWS(TYPE, PART)                                                          \
    VECTORS_ROW_MATH(TYPE, PART),                                                              \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, inverse),                                                      \
            .type = PE_BOOL, .optional = true,                                                 \
            .summary =                                                                         \
                "turn the vectors back: by minus the angle, and times 1 / attention factor"    \
    }
#define VECTORS_TURN_NAMES "rotate_math", "inverse", "seq_axis"

/* Declares head_axis, for encodings whose heads have rotations of their own. */
#define VECTORS_ROW_HEAD_AXIS(TYPE, PART)                                                      \
    {                                                                                          \
        PE_FIELD_OF(TYPE, PART, head_axis),                                                    \
            .type = PE_INT, .optional = true, .min = 0, .max = PE_MAX_RANK - 2,                \
            .summary =                                                                         \
                "axis of the heads, where each has a rotation of its own; the other one "      \
                "by default for rank 3"                                                        \
    }

/* Declares dim, the width of a head, for encodings that read it from the tensors. */
#define VECTORS_ROW_DIM(TYPE, FIELD)                                                           \
    {                                                                                          \
        .name = "dim", .offset = offsetof(TYPE, FIELD), .type = PE_INT, .optional = true,      \
        .min = 2, .max = 65536,                                                                \
        .summary = "width of a head; by default the last axis of the vectors"                  \
    }

#define VECTORS_BOUND                                                                          \
    "0.501 ULP, and where the two terms cancel 2^-51 of the pair's length (f16 that stays "    \
    "f16 2^-35, bf16 2^-38); f64 4 ULP of the pair's length; in_dtype and the profiles "       \
    "round as they do"

/* Declare outputs: what was DONE to the vectors, its BOUND, the names that outputs depend
 * on. */
#define VECTORS_OUTPUT(NUMBER, NAME, LABEL, SUMMARY, DEFAULT, BOUND, ...)                      \
    [NUMBER] = {PE_OUTPUT(NAME, PE_F32, "...", "dim"),                                         \
                .label = LABEL,                                                                \
                .summary = SUMMARY,                                                            \
                .by_default = DEFAULT,                                                         \
                .uses = PE_WORDS(__VA_ARGS__, NAME),                                           \
                .bound = BOUND}
#define VECTORS_OUTPUT_ROWS(DONE, BOUND, ...)                                                  \
    VECTORS_OUTPUT(VECTORS_X, "x", "Vectors", "vectors of x, " DONE, true, BOUND,              \
                   __VA_ARGS__),                                                               \
        VECTORS_OUTPUT(VECTORS_Q, "q", "Queries", "queries of q, " DONE, false, BOUND,         \
                       __VA_ARGS__),                                                           \
        VECTORS_OUTPUT(VECTORS_K, "k", "Keys", "keys of k, " DONE, false, BOUND, __VA_ARGS__)

/* The next three are for the resolve hook, in this order. All wanted tensors must hold reals
 * and have one last axis, which *dim must equal if given; else *dim is set to it. */
enum pe_status vectors_resolve_dim(const struct pe_args *args, const struct vectors *vectors,
                                   int64_t *dim, struct pe_errors *errors);
/* Sets seq_axis where it follows from the rank; each wanted tensor must have `positions`
 * (named by the parameter `name`) along it. */
enum pe_status vectors_resolve_axis(const struct pe_args *args, struct vectors *vectors,
                                    const char *name, uint64_t positions,
                                    struct pe_errors *errors);

/* Sets head_axis where it follows from the rank; each wanted tensor must have `heads` along it.
 * Does nothing if heads is 1 or less and head_axis is not given. */
enum pe_status vectors_resolve_heads(const struct pe_args *args, struct vectors *vectors,
                                     uint64_t heads, struct pe_errors *errors);

/* Does what vectors_resolve_heads does for one wanted tensor of more than one head. */
void vectors_resolve_heads_of(struct vectors *vectors, size_t number, uint64_t heads,
                              struct pe_errors *errors);

const struct pe_tensor *vectors_tensor(const struct vectors *vectors, size_t number);
/* Calls pe_build_fill for every wanted tensor with a copy of `like`, whose dtypes, dim, input,
 * places and inner are set here (head_inner too where it has heads). The tensor parameters are
 * x, q and k in this order. Returns false when out of memory. */
bool vectors_prepare(struct pe_build *build, const struct vectors *vectors,
                     const struct rotate *like);
/* Sets input, places and inner of a rotate whose heads are set (head_inner too), and the dtypes
 * and dim of its span, for the tensor of this number. */
void vectors_lay(const struct pe_args *args, const struct vectors *vectors, size_t number,
                 struct rotate *rotate);
/* Does what vectors_prepare does for one tensor, which may be wanted or not. */
bool vectors_prepare_one(struct pe_build *build, const struct vectors *vectors, size_t number,
                         const struct rotate *like);
