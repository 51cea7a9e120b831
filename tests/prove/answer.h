/* SPDX-License-Identifier: Apache-2.0
 * answer.h - sines and cosines as a client of the library gets them. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

enum { ANSWER_ROPE, ANSWER_SINUSOIDAL, ANSWER_ENCODINGS };
extern const char *const answer_encodings[ANSWER_ENCODINGS];

/* The request; scale and amplitude must be 1 for rope. */
struct question {
    size_t encoding;
    enum pe_dtype dtype;
    double base, scale, amplitude;
    size_t dim;
    const double *positions;
    size_t count;
};

/* [count][dim/2] each, the exact values of the answer's elements. */
struct answer {
    double *sine, *cosine;
};

/* Ends the program when the library refuses the request. */
struct answer answer_ask(const struct question *question);
void answer_free(struct answer *answer);
