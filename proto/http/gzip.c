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
    struct gzip *gzip = malloc(sizeof *gzip);

    if (!gzip)
        return NULL;
    gzip->compressor = libdeflate_alloc_compressor(LEVEL);
    if (!gzip->compressor) {
        free(gzip);
        return NULL;
    }
    return gzip;
}

void gzip_free(struct gzip *gzip)
{
    if (gzip) {
        libdeflate_free_compressor(gzip->compressor);
        free(gzip);
    }
}

size_t gzip_bound(size_t len)
{
    return libdeflate_gzip_compress_bound(NULL, len);
}

bool gzip_compress(struct gzip *gzip, const char *bytes, size_t len, char **compressed,
                   size_t *compressed_len)
{
    size_t capacity = gzip_bound(len);
    char *out = malloc(capacity), *exact;

    if (!out)
        return false;
    *compressed_len = libdeflate_gzip_compress(gzip->compressor, bytes, len, out, capacity);
    assert(*compressed_len > 0); /* 0 would mean more than the bound */
    exact = realloc(out, *compressed_len);
    *compressed = exact ? exact : out;
    return true;
}
