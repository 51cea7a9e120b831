/* SPDX-License-Identifier: Apache-2.0
 * api_keys.c - see api_keys.h. Only hashes of the keys are kept. */
#include "server/files/api_keys.h"

#include <gnutls/crypto.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/quota/client_table.h"

enum { HASH = 32, WHY = 300 };

struct entry {
    enum quota_row row;
    unsigned char hash[HASH];            /* of a key */
    char subject[QUOTA_SUBJECT_MAX + 1]; /* of a certificate */
    struct api_key key;
};

struct api_keys {
    atomic_uint owners;
    size_t count;
    struct entry at[];
};

static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                              "-._~+/=";
/* First words of rows that are no keys: no key is so short. */
static const char certificate[] = "certificate", address[] = "address";
_Static_assert(API_KEYS_LEN_MIN == 16 && API_KEYS_LEN_MAX == 256 && API_KEYS_MAX == 1024,
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

static bool is_word(const char *text, size_t len, const char *word)
{
    return len == strlen(word) && memcmp(text, word, len) == 0;
}

/* Reads the first word of a line: the kind of the row. False, and in `why` what would be
 * right. */
static bool read_first(struct entry *entry, const char *word, size_t len, bool only_keys,
                       char *why, size_t size)
{
    entry->row = QUOTA_ROW_KEY;
    if (!only_keys && is_word(word, len, certificate))
        entry->row = QUOTA_ROW_CERTIFICATE;
    else if (!only_keys && is_word(word, len, address))
        entry->row = QUOTA_ROW_ADDRESS;
    else if (len < API_KEYS_LEN_MIN || len > API_KEYS_LEN_MAX || !has_only(word, len, allowed))
        snprintf(why, size,
                 "must be a key of 16 to 256 letters, digits or -._~+/=%s, or a comment that "
                 "begins with #",
                 only_keys ? "" : ", certificate, address");
    else if (gnutls_hash_fast(GNUTLS_DIG_SHA256, word, len, entry->hash) != 0)
        snprintf(why, size, "cannot be hashed: no memory");
    return *why == '\0';
}

/* Returns whether both rows are about one key, one certificate, or those who have neither. */
static bool is_same(const struct entry *a, const struct entry *b)
{
    return a->row == b->row && gnutls_memcmp(a->hash, b->hash, HASH) == 0 &&
           strcmp(a->subject, b->subject) == 0;
}

/* A key or certificate has one row, and the rows of one name have the same limits. False, and
 * in `why` what would be right. */
static bool agrees(const struct api_keys *keys, const struct entry *entry, char *why,
                   size_t size)
{
    for (size_t i = 0; i < keys->count; i++) {
        const struct entry *other = &keys->at[i];

        if (is_same(entry, other))
            snprintf(why, size, "says again what line %u is about; one row is enough",
                     other->key.line);
        else if (*entry->key.name && strcmp(entry->key.name, other->key.name) == 0 &&
                 !quota_equal(&entry->key.quota, &other->key.quota))
            snprintf(why, size,
                     "must have the limits of line %u, which has the same name: rows of one "
                     "name are one client",
                     other->key.line);
    }
    return *why == '\0';
}

/* Reads a line without its end; false, and in `why` what would be right. */
static bool add_line(struct api_keys *keys, const char *line, size_t len, size_t number,
                     const struct quota_bounds *bounds, char *why, size_t size)
{
    struct entry *entry = &keys->at[keys->count];
    struct quota_line words;
    size_t first = 0;

    *why = '\0';
    while (len > 0 && (is_blank(line[len - 1]) || line[len - 1] == '\r'))
        len--;
    if (len == 0 || *line == '#')
        return true;
    while (first < len && !is_blank(line[first]))
        first++;
    *entry = (struct entry){.key.line = (unsigned)number};
    if (!read_first(entry, line, first, !bounds, why, size))
        return false;
    if (keys->count == API_KEYS_MAX) {
        snprintf(why, size, "is one key too many; a file has at most 1024");
        return false;
    }
    if (!quota_parse(&words, entry->row, bounds, line + first, len - first, why, size))
        return false;
    entry->key.quota = words.quota;
    entry->key.expires = words.expires;
    memcpy(entry->key.name, words.name, sizeof entry->key.name);
    memcpy(entry->subject, words.subject, sizeof entry->subject);
    if (!agrees(keys, entry, why, size))
        return false;
    keys->count++;
    return true;
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
static bool add_lines(struct api_keys *keys, const char *text, size_t len,
                      const struct quota_bounds *bounds, char *why, size_t size)
{
    const char *at = text, *end = text + len;
    unsigned line;

    for (line = 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t line_len = (size_t)((stop ? stop : end) - at);
        char wrong[WHY];

        if (!add_line(keys, at, line_len, line, bounds, wrong, sizeof wrong)) {
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

struct api_keys *api_keys_parse(const char *text, size_t len, const struct quota_bounds *bounds,
                                char *why, size_t size)
{
    size_t lines = line_count(text, len), most = lines < API_KEYS_MAX ? lines : API_KEYS_MAX;
    struct api_keys *keys = calloc(1, sizeof *keys + (most + 1) * sizeof keys->at[0]);

    if (!keys) {
        snprintf(why, size, "no memory");
        return NULL;
    }
    atomic_init(&keys->owners, 1);
    if (add_lines(keys, text, len, bounds, why, size))
        return keys;
    api_keys_drop(keys);
    return NULL;
}

/* ---- clients ----------------------------------------------------------------------------- */

/* Prints who the row is: its name, else its certificate, or what its key is hashed to. */
static void print_identity(const struct entry *entry, char id[CLIENT_ID_SIZE])
{
    size_t len;

    if (*entry->key.name) {
        snprintf(id, CLIENT_ID_SIZE, "name %s", entry->key.name);
    } else if (entry->row != QUOTA_ROW_KEY) {
        snprintf(id, CLIENT_ID_SIZE, "%s %s",
                 entry->row == QUOTA_ROW_ADDRESS ? address : certificate, entry->subject);
    } else {
        len = (size_t)snprintf(id, CLIENT_ID_SIZE, "key ");
        for (size_t i = 0; i < HASH; i++)
            len += (size_t)snprintf(id + len, CLIENT_ID_SIZE - len, "%02x", entry->hash[i]);
    }
}

static void print_label(const struct entry *entry, char label[CLIENT_LABEL_SIZE])
{
    if (*entry->key.name)
        snprintf(label, CLIENT_LABEL_SIZE, "%s", entry->key.name);
    else if (entry->row == QUOTA_ROW_ADDRESS)
        snprintf(label, CLIENT_LABEL_SIZE, "no key");
    else
        snprintf(label, CLIENT_LABEL_SIZE, "line %u", entry->key.line);
}

bool api_keys_bind(struct api_keys *keys, struct client_table *clients)
{
    bool bound = true;

    for (size_t i = 0; i < keys->count; i++) {
        struct entry *entry = &keys->at[i];
        char id[CLIENT_ID_SIZE], label[CLIENT_LABEL_SIZE];

        print_identity(entry, id);
        print_label(entry, label);
        entry->key.client = client_table_take(clients, id, label, &entry->key.quota);
        bound &= entry->key.client != NULL;
    }
    if (bound)
        client_table_renew(clients);
    return bound;
}

/* ---- references -------------------------------------------------------------------------- */

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
    for (size_t i = 0; i < keys->count; i++)
        client_table_drop(keys->at[i].key.client);
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

    for (size_t i = 0; equal && i < a->count; i++) {
        const struct entry *one = &a->at[i], *other = &b->at[i];

        equal = is_same(one, other) && one->key.line == other->key.line &&
                one->key.expires == other->key.expires &&
                quota_equal(&one->key.quota, &other->key.quota) &&
                strcmp(one->key.name, other->key.name) == 0;
    }
    return equal;
}

const struct api_key *api_keys_find(const struct api_keys *keys, const char *key, size_t len)
{
    unsigned char hash[HASH];
    size_t found = 0; /* 1 + the number of the key */

    if (len > API_KEYS_LEN_MAX || gnutls_hash_fast(GNUTLS_DIG_SHA256, key, len, hash) != 0)
        return NULL;
    for (size_t i = 0; i < keys->count; i++)
        found =
            keys->at[i].row == QUOTA_ROW_KEY && gnutls_memcmp(keys->at[i].hash, hash, HASH) == 0
                ? i + 1
                : found;
    return found ? &keys->at[found - 1].key : NULL;
}

bool api_keys_have(const struct api_keys *keys, const char *key, size_t len)
{
    return api_keys_find(keys, key, len) != NULL;
}

const struct api_key *api_keys_find_subject(const struct api_keys *keys, const char *subject)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->at[i].row == QUOTA_ROW_CERTIFICATE &&
            strcmp(keys->at[i].subject, subject) == 0)
            return &keys->at[i].key;
    return NULL;
}

const struct api_key *api_keys_find_keyless(const struct api_keys *keys)
{
    for (size_t i = 0; i < keys->count; i++)
        if (keys->at[i].row == QUOTA_ROW_ADDRESS)
            return &keys->at[i].key;
    return NULL;
}
