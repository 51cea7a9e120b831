/* SPDX-License-Identifier: Apache-2.0
 * api_keys.c - see api_keys.h. Only hashes of the keys are kept. */
#include "server/files/api_keys.h"

#include <gnutls/crypto.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HASH = 32 };

struct entry {
    unsigned char hash[HASH];
    struct api_key key;
};

struct api_keys {
    atomic_uint owners;
    size_t count;
    struct entry at[];
};

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
static const char allowed[] = LETTERS_AND_DIGITS "-._~+/=";
static const char allowed_in_name[] = LETTERS_AND_DIGITS "-._";
static const char setting[] = "name=";
_Static_assert(API_KEYS_LEN_MIN == 16 && API_KEYS_LEN_MAX == 256 && API_KEYS_NAME_MAX == 64 &&
                   API_KEYS_MAX == 1024,
               "the sentences of add_line have these numbers");

static size_t line_count(const char *text, size_t len)
{
    size_t count = 1;

    for (size_t i = 0; i < len; i++)
        count += text[i] == '\n';
    return count;
}

static bool has_only(const char *text, size_t len, const char *characters)
{
    for (size_t i = 0; i < len; i++)
        if (!text[i] || !strchr(characters, text[i]))
            return false;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads "name=NAME" behind a key; nothing is no name. */
static bool read_name(struct api_key *key, const char *text, size_t len)
{
    const size_t prefix = sizeof setting - 1;

    if (len == 0)
        return true;
    if (len <= prefix || len - prefix > API_KEYS_NAME_MAX ||
        memcmp(text, setting, prefix) != 0 ||
        !has_only(text + prefix, len - prefix, allowed_in_name))
        return false;
    snprintf(key->name, sizeof key->name, "%.*s", (int)(len - prefix), text + prefix);
    return true;
}

/* Reads a line without its end; the sentence that says what would be right, NULL: it is. */
static const char *add_line(struct api_keys *keys, const char *line, size_t len, size_t number)
{
    struct entry *entry = &keys->at[keys->count];
    size_t key_len = 0, next;

    while (len > 0 && (is_blank(line[len - 1]) || line[len - 1] == '\r'))
        len--;
    if (len == 0 || *line == '#')
        return NULL;
    while (key_len < len && !is_blank(line[key_len]))
        key_len++;
    for (next = key_len; next < len && is_blank(line[next]);)
        next++;
    if (key_len < API_KEYS_LEN_MIN || key_len > API_KEYS_LEN_MAX ||
        !has_only(line, key_len, allowed))
        return "must be a key of 16 to 256 letters, digits or -._~+/=, or a comment that "
               "begins with #";
    if (keys->count == API_KEYS_MAX)
        return "is one key too many; a file has at most 1024";
    *entry = (struct entry){.key.line = (unsigned)number};
    if (!read_name(&entry->key, line + next, len - next))
        return "behind a key may be name=NAME, of 1 to 64 letters, digits or -._";
    if (gnutls_hash_fast(GNUTLS_DIG_SHA256, line, key_len, entry->hash) != 0)
        return "cannot be hashed: no memory";
    keys->count++;
    return NULL;
}

/* A name would be logged: it may be no key. The line of the wrong name; 0: there is none. */
static unsigned find_key_as_name(const struct api_keys *keys)
{
    for (size_t i = 0; i < keys->count; i++) {
        const struct api_key *key = &keys->at[i].key;

        if (*key->name && api_keys_find(keys, key->name, strlen(key->name)))
            return key->line;
    }
    return 0;
}

/* Adds every line; false, and in `why` which is wrong and what would be right. */
static bool add_lines(struct api_keys *keys, const char *text, size_t len, char *why,
                      size_t size)
{
    const char *at = text, *end = text + len;
    unsigned line;

    for (line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *wrong;
        size_t line_len = (size_t)((stop ? stop : end) - at);

        wrong = add_line(keys, at, line_len, line);
        if (wrong) {
            snprintf(why, size, "line %u: %s", line, wrong);
            return false;
        }
        at += line_len + 1;
    }
    line = find_key_as_name(keys);
    if (line > 0)
        snprintf(why, size, "line %u: the name must be no key, since it is logged", line);
    else if (keys->count == 0)
        snprintf(why, size, "must have at least one key, one a line");
    return line == 0 && keys->count > 0;
}

struct api_keys *api_keys_parse(const char *text, size_t len, char *why, size_t size)
{
    size_t lines = line_count(text, len), most = lines < API_KEYS_MAX ? lines : API_KEYS_MAX;
    struct api_keys *keys = calloc(1, sizeof *keys + (most + 1) * sizeof keys->at[0]);

    if (!keys) {
        snprintf(why, size, "no memory");
        return NULL;
    }
    atomic_init(&keys->owners, 1);
    if (add_lines(keys, text, len, why, size))
        return keys;
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
    explicit_bzero(keys->at, keys->count * sizeof keys->at[0]);
    free(keys);
}

size_t api_keys_count(const struct api_keys *keys)
{
    return keys->count;
}

bool api_keys_equal(const struct api_keys *a, const struct api_keys *b)
{
    bool equal = a->count == b->count;

    for (size_t i = 0; equal && i < a->count; i++)
        equal = gnutls_memcmp(a->at[i].hash, b->at[i].hash, HASH) == 0 &&
                a->at[i].key.line == b->at[i].key.line &&
                strcmp(a->at[i].key.name, b->at[i].key.name) == 0;
    return equal;
}

const struct api_key *api_keys_find(const struct api_keys *keys, const char *key, size_t len)
{
    unsigned char hash[HASH];
    size_t found = 0; /* 1 + the number of the key */

    if (len > API_KEYS_LEN_MAX || gnutls_hash_fast(GNUTLS_DIG_SHA256, key, len, hash) != 0)
        return NULL;
    for (size_t i = 0; i < keys->count; i++)
        found = gnutls_memcmp(keys->at[i].hash, hash, HASH) == 0 ? i + 1 : found;
    return found ? &keys->at[found - 1].key : NULL;
}

bool api_keys_have(const struct api_keys *keys, const char *key, size_t len)
{
    return api_keys_find(keys, key, len) != NULL;
}
