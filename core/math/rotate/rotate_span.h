/* SPDX-License-Identifier: Apache-2.0
 * rotate_span.h - which coordinates of a vector are rotated, how they pair, in which dtype. */
#pragma once

#include "core/encoding.h"

enum { ROTATE_SECTIONS = 8 };

/* How a vector is rotated. Dtypes are PE_F64, PE_F32, PE_F16 or PE_BF16. */
struct rotate_span {
    enum pe_dtype from, to;      /* dtype of the vectors, and of the answer */
    size_t dim;                  /* elements of a vector */
    size_t offset, pairs;        /* the span is elements offset .. offset + 2 * pairs - 1 */
    bool adjacent, adjacent_out; /* pairs are read as (2k, 2k + 1), are written so; else
                                  * (k, k + pairs) */
    bool in_dtype; /* cosines, sines, products and sums are each rounded as `from`, as eager
                    * frameworks do; else all is double and rounded once */
    bool apart;    /* cosines and sines of the second coordinates stand after the first's:
                    * 2 * pairs of each */
    size_t section_count; /* 0: the span is one section; else pairs (k, k + n) lie within */
    size_t section[ROTATE_SECTIONS]; /* sections of n pairs, which adjoin; not adjacent */
};
