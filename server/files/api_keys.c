/* SPDX-License-Identifier: Apache-2.0
 * api_keys.c - see api_keys.h. Only hashes of the keys are kept. */
#include "server/files/api_keys.h"

#include <gnutls/crypto.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 32 };

struct api_keys {
    atomic_uint owners;
    size_t count;
    unsigned char hash[][HASH];
};

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                              "0123456789-._~+/=";

static size_t line_count(const char *text, size_t len)
{
    size_t count = 1;

    for (size_t i = 0; i < len; i++)
        count += text[i] == '\n';
    return count;
}

/* False: the line is neither a key nor empty nor a comment, or there are too many keys. */
static bool add_line(struct api_keys *keys, const char *line, size_t len)
{
    while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\t' || line[len - 1] == '\r'))
        len--;
    if (len == 0 || *line == '#')
        return true;
    if (len < API_KEYS_LEN_MIN || len > API_KEYS_LEN_MAX)
        return false;
    for (size_t i = 0; i < len; i++)
        if (!memchr(allowed, line[i], sizeof allowed - 1))
            return false;
    return keys->count < API_KEYS_MAX &&
           gnutls_hash_fast(GNUTLS_DIG_SHA256, line, len, keys->hash[keys->count++]) == 0;
}

struct api_keys *api_keys_parse(const char *text, size_t len, char *why, size_t size)
{
    size_t lines = line_count(text, len), most = lines < API_KEYS_MAX ? lines : API_KEYS_MAX;
    struct api_keys *keys = calloc(1, sizeof *keys + most * HASH);
    const char *at = text, *end = text + len;

    if (!keys) {
        snprintf(why, size, "no memory");
        return NULL;
    }
    atomic_init(&keys->owners, 1);
    for (size_t line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line_len = (size_t)((stop ? stop : end) - at);

        if (!add_line(keys, at, line_len)) {
            snprintf(why, size,
                     "line %zu: must be a key of %d to %d letters, digits or -._~+/=, or a "
                     "comment that begins with #; at most %d keys",
                     line, API_KEYS_LEN_MIN, API_KEYS_LEN_MAX, API_KEYS_MAX);
            api_keys_drop(keys);
            return NULL;
        }
        at += line_len + 1;
    }
    if (keys->count > 0)
        return keys;
    snprintf(why, size, "must have at least one key, one a line");
    api_keys_drop(keys);
    return NULL;
}

struct api_keys *api_keys_share(struct api_keys *keys)
{
    if (keys)
        atomic_fetch_add(&keys->owners, 1);
    return keys;
}

void api_keys_drop(struct api_keys *keys)
{
    if (!keys || atomic_fetch_sub(&keys->owners, 1) != 1)
        return;
    explicit_bzero(keys->hash, keys->count * HASH);
    free(keys);
}

size_t api_keys_count(const struct api_keys *keys)
{
    return keys->count;
}

bool api_keys_have(const struct api_keys *keys, const char *key, size_t len)
{
    unsigned char hash[HASH];
    unsigned found = 0;

    if (len > API_KEYS_LEN_MAX || gnutls_hash_fast(GNUTLS_DIG_SHA256, key, len, hash) != 0)
        return false;
    for (size_t i = 0; i < keys->count; i++)
        found |= gnutls_memcmp(keys->hash[i], hash, HASH) == 0;
    return found != 0;
}
