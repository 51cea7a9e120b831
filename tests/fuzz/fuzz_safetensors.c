/* SPDX-License-Identifier: Apache-2.0
 * fuzz_safetensors.c - any bytes as a body of application/x-safetensors. */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("application/x-safetensors", data, size);
}
