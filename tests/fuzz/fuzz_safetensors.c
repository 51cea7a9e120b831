/* SPDX-License-Identifier: Apache-2.0
 * fuzz_safetensors.c - any bytes as a body of application/x-safetensors.
 * Targets: the functions of proto/tensors/safetensors_in.c proto/tensors/safetensors_head.c
 *     proto/tensors/tensor_reader.c */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("application/x-safetensors", data, size);
}
