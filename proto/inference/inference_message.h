/* SPDX-License-Identifier: Apache-2.0
 * inference_message.h - the JSON of a request for inference, read into its parts: which inputs
 * come, in which types and shapes, and which outputs are wanted in which form. What names and
 * values mean is judged later (inference_request.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/inference/inference_numbers.h"

enum { INFERENCE_INPUTS_MAX = 32 };

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
                            char why[WHY_SIZE]);
