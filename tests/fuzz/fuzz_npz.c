/* SPDX-License-Identifier: Apache-2.0
 * fuzz_npz.c - any bytes as a body of application/x-npz.
 * Targets: the functions of proto/tensors/npz_in.c proto/tensors/zip_reader.c
 * proto/tensors/zip_member.c proto/tensors/zip_end.c proto/tensors/zip_extra.c
 * proto/tensors/zip_listing.c */
#include "tests/fuzz/tensor_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return tensor_body_try("application/x-npz", data, size);
}
