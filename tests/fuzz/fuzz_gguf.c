/* SPDX-License-Identifier: Apache-2.0
 * fuzz_gguf.c - any bytes as a body of application/x-gguf.
 * Targets: the functions of proto/tensors/gguf/gguf.c proto/tensors/gguf/gguf_in.c */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("application/x-gguf", data, size);
}
