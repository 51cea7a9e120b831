/* SPDX-License-Identifier: Apache-2.0
 * verify_pair.h - two files of tensors compared with each other, tensor by tensor, whatever
 * they are: as text and as JSON. */
#pragma once

#include "core/posenc_verify.h"
#include "proto/tensors/tensor.h"
#include "proto/text/buffer.h"

/* A tensor of one file and the one of the same name in the other. */
struct verify_pair {
    const struct tensor *one, *other; /* NULL: the file has none of this name */
    bool fits;                        /* both have the same shape: */
    uint64_t differs, of; /* elements that are apart by more than the tolerance; NaN is NaN */
    double max_abs;       /* the largest distance; infinite for NaN */
    bool hides;           /* both are masks that write a hidden key differently: the elements
                           * that differ are keys that one alone hides, at a distance of 1 */
    double hidden[2];     /* by which number each hides them; 0: by false */
    uint64_t first, most; /* the first of them, and the one that is farthest */
    struct pe_verify_where rows, columns; /* numbers for a picture alone */
};

struct verify_pairs {
    struct verify_pair at[2 * TENSOR_MAX];
    size_t count;
    bool equal; /* every tensor is in both files, and no element differs */
};

/* Compares the tensors of the first file with those of the other, which is the right one: an
 * element may be off by atol + rtol times its size, and by half a step of the coarser of two
 * dtypes; beside an infinite one, only the same is right. Masks that hide keys by other
 * numbers (-inf, -1e9, false) are compared by the keys that they hide. Two files of one tensor
 * each need no names. */
void verify_pair_all(struct verify_pairs *pairs, const struct tensor_set *one,
                     const struct tensor_set *other, double atol, double rtol);
/* Says whether all are equal: "exact" or "unexplained", and a sentence without a full stop. */
const char *verify_pair_kind(const struct verify_pairs *pairs);
const char *verify_pair_says(const struct verify_pairs *pairs);
/* Writes a line about each pair. */
void verify_pair_write(struct buffer *out, const struct verify_pairs *pairs);
/* Writes the list of pairs. */
void verify_pair_write_json(struct buffer *out, const char *name,
                            const struct verify_pairs *pairs);
