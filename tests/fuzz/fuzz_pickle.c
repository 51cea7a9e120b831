/* SPDX-License-Identifier: Apache-2.0
 * fuzz_pickle.c - any bytes as the pickle of an archive of torch.save: it is read, or a
 * sentence says why not.
 * Targets: the functions of proto/tensors/pickle.c proto/tensors/pickle_machine.c
 * proto/tensors/pickle_torch.c proto/tensors/pickle_value.c */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "proto/tensors/pickle.h"
#include "tests/fuzz/exact_piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pickle_tensor tensors[TENSOR_MAX];
    char *piece = exact_piece((const char *)data, size), why[WHY_SIZE];
    size_t count;

    if (!pickle_read(tensors, &count, (const unsigned char *)piece, size, why))
        assert(why[0] != '\0');
    assert(count <= TENSOR_MAX);
    for (size_t i = 0; i < count; i++)
        assert(tensors[i].rank <= PE_MAX_RANK);
    free(piece);
    return 0;
}
