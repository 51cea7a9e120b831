/* SPDX-License-Identifier: Apache-2.0
 * batch_writer.h - the formats of batches, one row each; private to proto/batch. */
#pragma once

#include "proto/batch/batch_answer.h"

struct batch_writer {
    const struct format *format;
    bool whole; /* a file that is right only if every request has an answer */
    void (*add)(struct batch_answer *answer, const char *id, const char *bytes, size_t len);
    void (*add_problem)(struct batch_answer *answer, const char *id,
                        const struct problem *problem);
    void (*finish)(struct batch_answer *answer);
};

extern const struct batch_writer batch_json, batch_safetensors;
