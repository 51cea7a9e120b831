/* SPDX-License-Identifier: Apache-2.0
 * request_key.c - what names an answer: its canonical form, its keys in a cache, its tags. */
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "proto/canonical.h"
#include "proto/format.h"
#include "proto/packer.h"
#include "proto/request_parts.h"
#include "proto/text/buffer.h"

const char *request_canonical(const struct request *request, size_t *len)
{
    assert(request->key != NULL);
    if (len != NULL) {
        *len = request->key_len - request->canonical_at;
    }
    return request->key + request->canonical_at;
}

/* The whole key begins with the encoding's name, a canonical form with "/": no two are the
 * same. */
const char *request_key(const struct request *request, enum coding coding, size_t *len)
{
    if (coding == CODING_PLAIN) {
        return request_canonical(request, len);
    }
    *len = request->key_len;
    return request->key;
}

const char *request_etag(const struct request *request, enum coding coding)
{
    assert(request->key != NULL);
    return coding == CODING_PLAIN ? request->etag : request->packed_etag;
}

enum {
    KEY_ROOM = 400, /* of most: it need not grow */
    TAG_LEN = 34,   /* with its quotes */
};

/* 32 hexadecimal digits in quotes. */
static void print_tag(char *tag, XXH128_hash_t hash)
{
    *tag++ = '"';
    for (int shift = 124; shift >= 0; shift -= 4) {
        uint64_t half = shift >= 64 ? hash.high64 : hash.low64;
        *tag++ = "0123456789abcdef"[half >> shift % 64 & 15];
    }
    *tag++ = '"';
    *tag = '\0';
}

/* The key: "rope 1 1 /v1/rope?...", of which the tag is a hash and the canonical form a part.
 */
enum pe_status request_write_key(struct request *request, struct pe_errors *errors)
{
    static const char packed_end[] = "-" PACKER_TAG "\""; /* in place of the last quote */
    struct buffer key = {0};
    buffer_room(&key, KEY_ROOM);
    buffer_add_text(&key, pe_name(request->enc));
    buffer_add_text(&key, " ");
    buffer_add_whole(&key, pe_revision(request->enc));
    buffer_add_text(&key, " ");
    buffer_add_whole(&key, request->options.format->wire_version);
    buffer_add_text(&key, " ");
    size_t canonical_at = key.len;
    canonical_write(&key, request->args, &request->options.values);
    char *bytes = buffer_take(&key, &request->key_len);
    if (bytes == NULL) {
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    }
    print_tag(request->etag, XXH3_128bits(bytes, request->key_len));
    memcpy(request->packed_etag, request->etag, TAG_LEN - 1);
    memcpy(request->packed_etag + TAG_LEN - 1, packed_end, sizeof packed_end);
    request->key = bytes;
    request->canonical_at = canonical_at;
    return PE_OK;
}
