/* SPDX-License-Identifier: Apache-2.0
 * inference_numbers.h - a tensor that a client sends, and its numbers in JSON, judged by its
 * shape and datatype. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "proto/tensors/tensor_layout.h"
#include "proto/text/json_body.h"
#include "proto/text/why.h"

/* A tensor that the client sends. Its numbers are in the JSON, or in binary behind it. */
struct inference_input {
    const char *name;            /* borrowed from the JSON, as all texts are */
    struct tensor_layout layout; /* type and shape, in which nothing is too large to count */
    uint64_t count, bytes;       /* elements, and their bytes in binary */
    bool binary;
    const double *numbers; /* of the JSON; NULL: binary */
    const int16_t *rests;  /* of these numbers (json_whole.h) */
    void *data;            /* of the binary part, in the layout of memory; NULL: not read yet */
};

/* Takes the numbers of the data, which are exactly those of the datatype. Returns false, and
 * writes what would be right to `why`, at one that is not. */
bool inference_numbers_take(struct inference_input *input, const struct json_body_value *data,
                            char why[WHY_SIZE]);
