/* SPDX-License-Identifier: Apache-2.0
 * exact_piece.h - a piece of an input in memory of exactly its size, so that AddressSanitizer
 * sees a read of one byte beyond it; inside the input that byte would be the next piece's. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns a copy of the piece; the caller frees it. */
static inline char *exact_piece(const void *bytes, size_t size)
{
    char *piece = malloc(size ? size : 1);

    if (!piece)
        abort();
    if (size)
        memcpy(piece, bytes, size);
    return piece;
}
