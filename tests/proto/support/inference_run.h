/* SPDX-License-Identifier: Apache-2.0
 * inference_run.h - a request for inference, from the bytes of its body to those of its
 * response. */
#pragma once

#include <stddef.h>

#include "proto/inference/inference_body.h"
#include "proto/text/buffer.h"

struct inference_run {
    const char *model, *query; /* "rope.llama-3.1-8b"; "" for no query */
    const char *body;
    size_t len, head, chunk; /* head: as Inference-Header-Content-Length, 0 for none */
    size_t budget;           /* most bytes of memory */
    enum inference_state state;
    struct buffer headers, answer; /* of the response */
    struct buffer error;           /* {"error":...}, or empty */
};

void inference_run(struct inference_run *run);
void inference_run_fini(struct inference_run *run);
