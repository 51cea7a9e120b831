/* SPDX-License-Identifier: Apache-2.0
 * api_keys.h - a set of secret keys, kept as SHA-256. A client's key is compared with all of
 * them, in a time that does not depend on how many of its characters are right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    API_KEYS_MAX = 1024,
    API_KEYS_LEN_MIN = 16,
    API_KEYS_LEN_MAX = 256,
    API_KEYS_NAME_MAX = 64
};

struct api_key {                      /* what is known of a key but for itself */
    unsigned line;                    /* of the file */
    char name[API_KEYS_NAME_MAX + 1]; /* "": it has none */
};

struct api_keys; /* immutable, reference-counted */

/* One key a line, of letters, digits and -._~+/= (RFC 6750), alone or as KEY name=NAME; empty
 * lines and lines that begin with # are skipped. Several keys may have one name. NULL, and in
 * `why` the number of the wrong line and what would be right; `why` never contains a key. */
struct api_keys *api_keys_parse(const char *text, size_t len, char *why, size_t size);
struct api_keys *api_keys_share(struct api_keys *keys); /* one more reference; NULL: NULL */
void api_keys_drop(struct api_keys *keys); /* one reference less; NULL is ignored */
size_t api_keys_count(const struct api_keys *keys);

/* Returns true if both have the same keys with the same names in the same lines. */
bool api_keys_equal(const struct api_keys *a, const struct api_keys *b);
/* Finds a key; NULL: it is none of the set. */
const struct api_key *api_keys_find(const struct api_keys *keys, const char *key, size_t len);
bool api_keys_have(const struct api_keys *keys, const char *key, size_t len);
