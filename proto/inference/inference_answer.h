/* SPDX-License-Identifier: Apache-2.0
 * inference_answer.h - what the response to a request for inference has besides the numbers,
 * and which of its outputs are in JSON and which in binary. */
#pragma once

#include "proto/inference/inference_model.h"

/* Most elements of outputs in JSON beside outputs in binary: the JSON must be complete
 * before its length is known, which is sent first. */
enum { INFERENCE_ANSWER_MIXED = 16 << 10, INFERENCE_ANSWER_MIXED_BYTES = 1 << 20 };

/* The members of the response other than the numbers. It is made by malloc and freed by
 * inference_answer_free. */
struct inference_answer {
    char *name, *id; /* of the model, as in the path; of the request, NULL: none */
    unsigned version;
    size_t count; /* outputs that were asked for; 0: the encoding's own */
    struct {
        const char *name; /* static */
        bool binary;
    } at[PE_MAX_OUTPUTS];
    bool binary; /* form of the encoding's own outputs */
};

void inference_answer_free(void *answer);
/* Returns whether some outputs are in JSON and some in binary. */
bool inference_answer_is_mixed(const struct inference_answer *answer);
