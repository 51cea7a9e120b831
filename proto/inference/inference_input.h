/* SPDX-License-Identifier: Apache-2.0
 * inference_input.h - gives a request one input: positions, a list or matrix, or a tensor. */
#pragma once

#include "proto/inference/inference_message.h"
#include "proto/request/request.h"

/* Sets the value that the input gives the parameter of its name. The request takes input->data
 * where it keeps the tensor. */
enum pe_status inference_input_give(struct request *request, struct inference_input *input,
                                    struct pe_errors *errors);
/* Returns the bytes of memory that giving the input takes besides those of the body: a list
 * becomes float64 in the request, and one in binary in a copy, too. */
uint64_t inference_input_copied(const struct pe_encoding *enc,
                                const struct inference_input *input);
