/* SPDX-License-Identifier: Apache-2.0
 * inference_message.h - the JSON of a request for inference, read into its parts: which inputs
 * come, in which types and shapes, and which outputs are wanted in which form. What names and
 * values mean is judged later (inference_request.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/tensors/tensor_layout.h"
#include "proto/text/json_body.h"

enum { INFERENCE_INPUTS_MAX = 32, INFERENCE_WHY_SIZE = 240 };

/* A tensor that the client sends. Its numbers are in the JSON, or in binary behind it. */
struct inference_input {
    const char *name;            /* borrowed from the JSON, as all texts are */
    struct tensor_layout layout; /* type and shape, in which nothing is too large to count */
    uint64_t count, bytes;       /* elements, and their bytes in binary */
    bool binary;
    const double *numbers; /* of the JSON; NULL: binary */
    void *data;            /* of the binary part, in the layout of memory; NULL: not read yet */
};

struct inference_output {
    const char *name;
    bool binary;
};

struct inference_message {
    const char *id; /* NULL: none */
    size_t input_count, output_count;
    struct inference_input inputs[INFERENCE_INPUTS_MAX];
    struct inference_output outputs[PE_MAX_OUTPUTS]; /* none: the encoding's own */
    bool binary; /* form of outputs that do not say theirs */
    bool has_parameters;
    struct json_body_value parameters; /* the object of parameters */
};

/* Reads a finished body. Returns false and writes what would be right to `why`. */
bool inference_message_read(struct inference_message *message, const struct json_body *body,
                            char why[INFERENCE_WHY_SIZE]);
