/* SPDX-License-Identifier: Apache-2.0
 * npy_head.h - the header of a tensor in NumPy's format, read as it arrives: in a body of its
 * own (npy_in.c) or as a member of an archive (npz_in.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/tensors/tensor_layout.h"
#include "proto/text/why.h"

enum {
    NPY_HEAD_PREFIX = 12,
    NPY_HEAD_MAX = 4096, /* bytes of the dictionary */
    NPY_HEAD_DESCR = 16
};

/* All zeros at the start, but `what`. */
struct npy_head {
    const char *what;            /* what has the header, for errors: "the body" */
    struct tensor_layout layout; /* the result */

    /* The fields below are private. */
    unsigned char prefix[NPY_HEAD_PREFIX];
    size_t prefix_len; /* bytes of the prefix so far */
    char header[NPY_HEAD_MAX];
    size_t header_len, len; /* header's bytes: so far; all */
    /* The values of the header's dictionary. */
    char descr[NPY_HEAD_DESCR];
    bool has_descr, has_order, has_shape;
};

/* Returns whether a file that begins with these bytes is in NumPy's format. */
bool npy_head_sniff(const unsigned char *bytes, size_t len);

enum npy_head_state { NPY_HEAD_MORE, NPY_HEAD_COMPLETE, NPY_HEAD_WRONG };

/* Reads the next bytes, of which *used belong to the header. Its elements
 * must be of an accepted type. Writes the reason to `why` if the header is wrong. */
enum npy_head_state npy_head_add(struct npy_head *head, enum element_accept accept,
                                 const char *bytes, size_t len, size_t *used,
                                 char why[WHY_SIZE]);
