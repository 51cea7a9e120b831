/* SPDX-License-Identifier: Apache-2.0
 * cli_tensors.h - a file of tensors on the command line: npy, npz, safetensors, GGUF,
 * JSON or raw bytes, told apart by the first bytes. */
#pragma once

#include "proto/tensors/tensor.h"
#include "proto/text/json_body.h"
#include "proto/verify/verify_body.h"

enum { CLI_TENSORS_WHY = 1024 };

struct cli_tensors {
    struct tensor_set set;
    struct json_body *body;       /* of a file of JSON; else NULL */
    struct json_body_value claim; /* its member "claim", if has_claim */
    bool has_claim;
    void *file; /* the bytes of a mapped file, which tensors borrow; NULL: it was read */
    size_t file_len;
    bool headerless, named;    /* as in struct verify_source */
    char why[CLI_TENSORS_WHY]; /* why they were not read */
};

/* Reads "FILE", "FILE:NAME" (one tensor of it, or the name of its only one) or "-", which is
 * the standard input. The words are those that describe raw bytes. Returns 0, or the exit code;
 * then there is nothing to free, and tensors->why is a sentence. */
int cli_tensors_read(struct cli_tensors *tensors, const char *argument,
                     const struct verify_body *words);
void cli_tensors_fini(struct cli_tensors *tensors);
