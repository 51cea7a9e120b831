/* SPDX-License-Identifier: Apache-2.0
 * inference_request.h - gives a request for an encoding what a request for inference says: its
 * inputs and parameters by the names of /v1, its outputs, and the format of its response. */
#pragma once

#include "proto/inference/inference_body.h"
#include "proto/request/request.h"

/* Sets everything but the query, which is set before. The request takes the memory of inputs
 * that are its tensors. Errors are in *errors; their parameters are names, not pointers. */
enum pe_status inference_request_set(struct request *request, struct inference_body *body,
                                     struct pe_errors *errors);
/* Returns the bytes of memory that inference_request_set takes for lists that are given to the
 * encoding, besides those of the body. */
uint64_t inference_request_copied(const struct pe_encoding *enc, struct inference_body *body);
/* Returns whether the response has outputs in JSON beside outputs in binary, which takes
 * INFERENCE_ANSWER_MIXED_BYTES of memory. */
bool inference_request_is_mixed(const struct request *request);
