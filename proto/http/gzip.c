/* SPDX-License-Identifier: Apache-2.0
 * gzip.c - see gzip.h. */
#include "proto/http/gzip.h"

#include <assert.h>
#include <stdlib.h>

enum { LEVEL = 1 };

struct gzip {
    struct libdeflate_compressor *compressor;
};

struct gzip *gzip_new(void)
{
    struct gzip *packer = malloc(sizeof *packer);

    if (!packer)
        return NULL;
    packer->compressor = libdeflate_alloc_compressor(LEVEL);
    if (!packer->compressor) {
        free(packer);
        return NULL;
    }
    return packer;
}

void gzip_free(struct gzip *packer)
{
    if (packer) {
        libdeflate_free_compressor(packer->compressor);
        free(packer);
    }
}

size_t gzip_bound(size_t len)
{
    return libdeflate_gzip_compress_bound(NULL, len);
}

bool gzip_gzip(struct gzip *packer, const char *bytes, size_t len, char **packed,
               size_t *packed_len)
{
    size_t room = gzip_bound(len);
    char *out = malloc(room), *exact;

    if (!out)
        return false;
    *packed_len = libdeflate_gzip_compress(packer->compressor, bytes, len, out, room);
    assert(*packed_len > 0); /* 0: more than the bound */
    exact = realloc(out, *packed_len);
    *packed = exact ? exact : out;
    return true;
}
