/* SPDX-License-Identifier: Apache-2.0
 * request_key.c - the identity of a response: its canonical form, cache keys and tags. */
#include <assert.h>
#include <string.h>
#include <xxhash.h>

#include "proto/http/format.h"
#include "proto/http/gzip.h"
#include "proto/request/canonical.h"
#include "proto/request/request_internal.h"
#include "proto/text/buffer.h"

const char *request_canonical(const struct request *request, size_t *len)
{
    assert(request->key);
    if (request->list_bytes > 0)
        return NULL;
    if (len)
        *len = request->key_len - request->canonical_at;
    return request->key + request->canonical_at;
}

uint64_t request_list_bytes(const struct request *request)
{
    return request->list_bytes;
}

bool request_is_cached(const struct request *request)
{
    return request->list_bytes <= REQUEST_KEY_LISTS && !request_has_tensors(request) &&
           !request->own_format;
}

/* No two keys are equal: a key with the prefix begins with the encoding's name, a canonical
 * form with "/". */
const char *request_key(const struct request *request, enum content_coding coding, size_t *len)
{
    size_t skip = coding == CONTENT_CODING_IDENTITY ? request->canonical_at : 0;

    assert(request->key);
    *len = request->key_len - skip;
    return request->key + skip;
}

const char *request_etag(const struct request *request, enum content_coding coding)
{
    assert(request->key);
    return coding == CONTENT_CODING_IDENTITY ? request->etag : request->gzip_etag;
}

enum {
    KEY_SIZE = 400, /* a buffer of this size need not grow for most keys */
    TAG_LEN = 34,   /* length of a tag with its quotes */
};

/* Writes the tag: 32 hexadecimal digits in quotes. */
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

/* Returns the next long list from value *at on, NULL if there is none. */
static const struct pe_value *next_list(const struct pe_args *args, size_t *at)
{
    while (*at < pe_args_value_count(args)) {
        const struct pe_value *value = pe_args_value(args, (*at)++);

        if (!value->text)
            return value;
    }
    return NULL;
}

/* Hashes the text, and the bits of the long lists that it marks. */
static bool hash_all(const struct request *request, const struct buffer *text,
                     XXH128_hash_t *hash)
{
    const struct pe_value *list;

    if (request->list_bytes == 0) {
        *hash = XXH3_128bits(text->bytes, text->len);
        return true;
    }
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return false;
    XXH3_128bits_reset(state);
    XXH3_128bits_update(state, text->bytes, text->len);
    for (size_t at = 0; (list = next_list(request->args, &at)) != NULL;)
        XXH3_128bits_update(state, list->bits, list->bits_len);
    *hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return true;
}

/* Adds the bytes of the long lists to a key, which a cache compares as a whole. */
static void add_lists(const struct request *request, struct buffer *key)
{
    const struct pe_value *list;

    for (size_t at = 0; (list = next_list(request->args, &at)) != NULL;)
        buffer_add(key, list->bits, list->bits_len);
}

static uint64_t count_lists(const struct request *request)
{
    const struct pe_value *list;
    uint64_t bytes = 0;

    for (size_t at = 0; (list = next_list(request->args, &at)) != NULL;)
        bytes += list->bits_len;
    return bytes;
}

static void print_tags(struct request *request, XXH128_hash_t hash)
{
    static const char gzip_end[] = "-" GZIP_TAG "\""; /* replaces the last quote */

    print_tag(request->etag, hash);
    memcpy(request->gzip_etag, request->etag, TAG_LEN - 1);
    memcpy(request->gzip_etag + TAG_LEN - 1, gzip_end, sizeof gzip_end);
}

/* Writes the key, "rope 1 1 /v1/rope?...": the canonical form is a part of it, and the bytes of
 * the long lists follow the marks. The tag is a hash of the text and all long lists. */
enum pe_status request_write_key(struct request *request, struct pe_errors *errors)
{
    struct buffer key = {0};
    XXH128_hash_t hash = {0};

    buffer_reserve(&key, KEY_SIZE);
    buffer_add_text(&key, pe_name(request->enc));
    buffer_add_text(&key, " ");
    buffer_add_integer(&key, pe_revision(request->enc));
    buffer_add_text(&key, " ");
    buffer_add_integer(&key, request->options.format->wire_version);
    buffer_add_text(&key, request->options.format->wire_tag ? "-" : " ");
    if (request->options.format->wire_tag)
        buffer_add_format(&key, "%s ", request->options.format->wire_tag);
    size_t canonical_at = key.len;
    canonical_write(&key, request->args, &request->options.values);
    request->list_bytes = count_lists(request);
    if (!key.failed && !hash_all(request, &key, &hash))
        buffer_fail(&key);
    if (request->list_bytes > 0 && request->list_bytes <= REQUEST_KEY_LISTS)
        add_lists(request, &key);
    char *bytes = buffer_take(&key, &request->key_len);
    if (!bytes)
        return pe_fail(errors, PE_NO_MEMORY, NULL, "out of memory");
    print_tags(request, hash);
    request->key = bytes;
    request->canonical_at = canonical_at;
    return PE_OK;
}

/* Finds the value of `pos` in the canonical form. No value contains the marks around it, since
 * texts have "=" and "&" as %3D and %26. NULL: it is not the text. */
static const char *find_positions(const struct request *request, const char *text, size_t len)
{
    static const char name[] = "pos=";
    const char *at = request->key + request->canonical_at;

    while ((at = strstr(at, name))) {
        const bool whole = at[-1] == '?' || at[-1] == '&';

        at += sizeof name - 1;
        if (whole)
            return strncmp(at, text, len) == 0 && (at[len] == '&' || at[len] == '\0') ? at
                                                                                      : NULL;
    }
    return NULL;
}

bool request_move_key(struct request *request, const struct request *like, const char *old_text,
                      const char *new_text)
{
    const size_t old_len = strlen(old_text);
    const char *at = find_positions(like, old_text, old_len);
    struct buffer key = {0};

    if (!at)
        return false;
    const char *rest = at + old_len;
    buffer_reserve(&key, like->key_len + strlen(new_text) + 1);
    buffer_add(&key, like->key, (size_t)(at - like->key));
    canonical_encode(&key, new_text);
    buffer_add(&key, rest, like->key_len - (size_t)(rest - like->key));
    request->key = buffer_take(&key, &request->key_len);
    if (!request->key)
        return false;
    print_tags(request, XXH3_128bits(request->key, request->key_len));
    return true;
}
