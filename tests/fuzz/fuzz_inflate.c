/* SPDX-License-Identifier: Apache-2.0
 * fuzz_inflate.c - any bytes as a body in gzip or deflate: one chunk and small chunks inflate
 * to equal bytes, within bounds. The first byte chooses the coding and the length of chunks.
 * Targets: the functions of proto/http/inflate.c */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <xxhash.h>

#include "proto/http/inflate.h"
#include "tests/fuzz/exact_piece.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 3 << 20 };

struct taken {
    XXH3_state_t *hash; /* of bytes, whatever chunks they came in */
    uint64_t len;
};

static bool take(void *context, const char *bytes, size_t len)
{
    struct taken *taken = context;

    assert(len > 0);
    XXH3_64bits_update(taken->hash, bytes, len);
    taken->len += len;
    assert(taken->len <= MOST);
    return true;
}

static enum inflate_state inflate_all(const char *coding, const char *bytes, size_t len,
                                      size_t chunk, struct taken *taken)
{
    struct inflate *stream = inflate_new(coding, MOST, take, taken);

    taken->len = 0;
    XXH3_64bits_reset(taken->hash);
    assert(stream);
    for (size_t at = 0; at < len; at += chunk) {
        const size_t piece_len = len - at < chunk ? len - at : chunk;
        char *piece = exact_piece(bytes + at, piece_len);

        inflate_add(stream, piece, piece_len);
        free(piece);
    }
    enum inflate_state state = inflate_finish(stream);
    assert((*inflate_error(stream) != '\0') == (state != INFLATE_OK));
    inflate_free(stream);
    return state;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return -1;
    const char *coding = data[0] & 1 ? "gzip" : "deflate", *bytes = (const char *)data + 1;
    struct taken whole = {.hash = XXH3_createState()}, chunks = {.hash = XXH3_createState()};
    enum inflate_state one = inflate_all(coding, bytes, size - 1, size, &whole);
    enum inflate_state many = inflate_all(coding, bytes, size - 1, 1 + data[0] / 2, &chunks);
    assert(one != INFLATE_NO_MEMORY && one == many);
    assert(one != INFLATE_OK ||
           (whole.len == chunks.len &&
            XXH3_64bits_digest(whole.hash) == XXH3_64bits_digest(chunks.hash)));
    assert(whole.len <= INFLATE_FREE + 16384 || whole.len / INFLATE_RATIO <= size);
    XXH3_freeState(whole.hash);
    XXH3_freeState(chunks.hash);
    return 0;
}
