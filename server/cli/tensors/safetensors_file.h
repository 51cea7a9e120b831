/* SPDX-License-Identifier: Apache-2.0
 * safetensors_file.h - one tensor of a safetensors file that may have many and long ones:
 * only its bytes are kept. */
#pragma once

#include <stdio.h>

#include "proto/tensors/tensor.h"
#include "server/cli/tensors/tensor_choice.h"

enum { SAFETENSORS_FILE_WHY_SIZE = 320 };

struct safetensors_file {
    FILE *file;
    const char *start; /* bytes of the file that were read already */
    size_t start_len;
    struct tensor_choice choice;
    uint64_t max_elements;
};

enum safetensors_file_state {
    SAFETENSORS_FILE_OK,
    SAFETENSORS_FILE_WRONG,  /* of the file: its form */
    SAFETENSORS_FILE_CHOICE, /* of the caller: the file has not the tensor */
    SAFETENSORS_FILE_NO_MEMORY
};

/* Adds the chosen tensor to the set, under the parameter's name. Otherwise writes half a
 * sentence that continues the file's name to `why`. */
enum safetensors_file_state safetensors_file_read(struct safetensors_file *source,
                                                  struct tensor_set *set,
                                                  char why[SAFETENSORS_FILE_WHY_SIZE]);
