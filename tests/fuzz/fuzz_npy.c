/* SPDX-License-Identifier: Apache-2.0
 * fuzz_npy.c - any bytes as a body of application/x-npy.
 * Targets: the functions of proto/tensors/npy_in.c proto/tensors/npy_head.c
 * proto/tensors/tensor_fill.c proto/tensors/tensor_reader.c */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("application/x-npy", data, size);
}
