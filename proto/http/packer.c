/* SPDX-License-Identifier: Apache-2.0
 * packer.c - see packer.h. */
#include "proto/http/packer.h"

#include <assert.h>
#include <stdlib.h>

enum { LEVEL = 1 };

struct packer {
    struct libdeflate_compressor *compressor;
};

struct packer *packer_new(void)
{
    struct packer *packer = malloc(sizeof *packer);
    if (packer == NULL) {
        return NULL;
    }
    packer->compressor = libdeflate_alloc_compressor(LEVEL);
    if (packer->compressor == NULL) {
        free(packer);
        return NULL;
    }
    return packer;
}

void packer_free(struct packer *packer)
{
    if (packer != NULL) {
        libdeflate_free_compressor(packer->compressor);
        free(packer);
    }
}

size_t packer_bound(size_t len)
{
    return libdeflate_gzip_compress_bound(NULL, len);
}

bool packer_gzip(struct packer *packer, const char *bytes, size_t len, char **packed,
                 size_t *packed_len)
{
    size_t room = packer_bound(len);
    char *out = malloc(room), *exact;
    if (out == NULL) {
        return false;
    }
    *packed_len = libdeflate_gzip_compress(packer->compressor, bytes, len, out, room);
    assert(*packed_len > 0); /* 0: more than the bound */
    exact = realloc(out, *packed_len);
    *packed = exact != NULL ? exact : out;
    return true;
}
