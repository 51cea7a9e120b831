/* SPDX-License-Identifier: Apache-2.0
 * zip_inflate.c - see zip_inflate.h. zlib's memory is zeroed, so that no byte of it is
 * unknown. */
#include "proto/tensors/zip_inflate.h"

#include <stdlib.h>

static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return calloc(count, size);
}

static void release(voidpf context, voidpf memory)
{
    free(memory);
}

bool zip_inflate_begin(z_stream *zlib, bool *made)
{
    if (*made)
        return inflateReset(zlib) == Z_OK;
    *zlib = (z_stream){.zalloc = allocate, .zfree = release};
    *made = inflateInit2(zlib, -MAX_WBITS) == Z_OK;
    return *made;
}
