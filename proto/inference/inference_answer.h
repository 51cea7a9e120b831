/* SPDX-License-Identifier: Apache-2.0
 * inference_answer.h - what the response to a request for inference has besides the numbers,
 * and which of its outputs are in JSON and which in binary. */
#pragma once

#include "proto/inference/inference_model.h"
#include "proto/request/request.h"

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
/* Checks the forms of the outputs, as the check of a format does: those in JSON have a type
 * that JSON has a form of, and are short beside outputs in binary; others no client can read,
 * or they would be long work on a loop's thread. */
enum pe_status inference_answer_check(const struct pe_plan *plan, const struct request *request,
                                      struct pe_errors *errors);
