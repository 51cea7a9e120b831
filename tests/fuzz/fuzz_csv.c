/* SPDX-License-Identifier: Apache-2.0
 * fuzz_csv.c - any bytes as a body of text/csv.
 * Targets: the functions of proto/tensors/csv_in.c proto/tensors/decimals.c */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("text/csv", data, size);
}
