/* SPDX-License-Identifier: Apache-2.0
 * rotate.h - rotates vectors: the rows of a tensor's last axis, each by the cosines and sines
 * of its place along the sequence axis. One kernel for rope/apply and its relatives.
 *
 *     (a, b) -> (a cos - b sin, b cos + a sin)    for each pair of coordinates in the span
 *
 * What is outside the span passes as it is, bit for bit when the dtype stays. The bytes are
 * the same on every CPU path and for any division into rectangles. NaN and infinities of the
 * vectors propagate. */
#pragma once

#include "core/math/rotate/rotate_span.h"

/* Rotates `count` adjoining vectors by one row of cosines and sines. in and out are aligned for
 * their dtypes; out may be `in` itself when the dtype stays, else they do not overlap. scratch:
 * rotate_scratch_bytes(span), 64-byte aligned. */
void rotate_vectors(const struct rotate_span *span, const double *cosine, const double *sine,
                    const void *in, size_t count, void *out, void *scratch);
size_t rotate_scratch_bytes(const struct rotate_span *span);

/* Writes the row of cosines and sines of place `number` of the sequence (of head h: place *
 * heads + h). input: the client's tensors, as fillers get them. memory: memory_bytes of struct
 * rotate, for values that neighbours share, as the previous call with this state left it, or
 * its first PE_SCRATCH_MEMORY bytes are zeroes; it must not change a result. */
typedef void rotate_turn(const void *context, uint64_t number, const void *const input[],
                         double *cosine, double *sine, void *memory);

/* The state of rotate_filler: one tensor of the client. Rotating in place (out[0] points to the
 * rows of the rectangle in the input) is allowed for rectangles of whole vectors whose dtype
 * stays. */
struct rotate {
    struct rotate_span span;    /* span.to is the dtype of the group */
    size_t input;               /* index of the tensor among the PE_TENSOR parameters */
    uint64_t places, inner;     /* vector v is at place v / inner % places */
    uint64_t heads, head_inner; /* vector v is of head v / head_inner % heads, where heads have
                                 * rows of their own; 0: they have not */
    rotate_turn *turn;
    const void *context;
    size_t memory_bytes;
    double turn_ns; /* cost of `turn` for each element of a vector; 0: negligible */
};

extern const struct pe_filler rotate_filler;

/* Returns the number of the row that rotates a vector; sets *same to how many vectors from
 * it on share the row. */
uint64_t rotate_row(const struct rotate *rotate, uint64_t vector, uint64_t *same);

/* Sets places and inner of a tensor whose sequence axis is `axis` (< rank - 1). */
void rotate_lay(struct rotate *rotate, const struct pe_tensor *tensor, size_t axis);
/* Sets heads and head_inner of a tensor whose axis of heads is `axis`. */
void rotate_lay_heads(struct rotate *rotate, const struct pe_tensor *tensor, size_t axis);
