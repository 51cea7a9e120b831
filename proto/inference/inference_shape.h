/* SPDX-License-Identifier: Apache-2.0
 * inference_shape.h - the tensors of a model: those that a request must have, and those that a
 * request without outputs gets, with their shapes as far as no request changes them. */
#pragma once

#include "proto/inference/inference_model.h"

struct inference_tensor {
    const char *name;
    enum pe_dtype dtype;
    size_t rank;
    int64_t dims[PE_MAX_RANK]; /* -1: the length depends on the request */
    bool optional;             /* another parameter may be given in its place */
};

enum { INFERENCE_SHAPE_INPUTS = 32 };

struct inference_shape {
    size_t input_count, output_count;
    struct inference_tensor inputs[INFERENCE_SHAPE_INPUTS], outputs[PE_MAX_OUTPUTS];
};

/* Finds both lists. False: out of memory. */
bool inference_shape_find(struct inference_shape *shape, const struct inference_model *model,
                          const struct models *models);
