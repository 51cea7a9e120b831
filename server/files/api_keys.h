/* SPDX-License-Identifier: Apache-2.0
 * api_keys.h - the rows of --api-keys-file: secret keys, kept as SHA-256, client certificates
 * by their names, and those who have neither. A client's key is compared with all of them, in a
 * time that does not depend on how many of its characters are right. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "server/quota/quota.h"

struct client;
struct client_table;

enum {
    API_KEYS_MAX = 1024,
    API_KEYS_LEN_MIN = 16,
    API_KEYS_LEN_MAX = 256,
    API_KEYS_NAME_MAX = QUOTA_NAME_MAX
};

struct api_key {                      /* what is known of a row but for the key itself */
    unsigned line;                    /* of the file */
    char name[API_KEYS_NAME_MAX + 1]; /* "": it has none */
    int64_t expires;                  /* seconds since 1970; 0: never */
    struct quota quota;
    struct client *client; /* whom it names; NULL before api_keys_bind */
};

struct api_keys; /* immutable once it is bound, reference-counted */

/* One row a line: a key of letters, digits and -._~+/= (RFC 6750), `certificate` or `address`,
 * then words of quota_words.def, as KEY name=NAME; empty lines and lines that begin with # are
 * skipped. A key or certificate has one row. Several rows may have one name, and have the same
 * limits then. NULL, and in `why` the number of the wrong line and what would be right; `why`
 * never contains a key. bounds: NULL: only keys and their names are rows, as of a file of a
 * token. */
struct api_keys *api_keys_parse(const char *text, size_t len, const struct quota_bounds *bounds,
                                char *why, size_t size);
/* Refers each row to the client whom it names. False: out of memory. */
bool api_keys_bind(struct api_keys *keys, struct client_table *clients);
struct api_keys *api_keys_share(struct api_keys *keys); /* one more reference; NULL: NULL */
void api_keys_drop(struct api_keys *keys); /* one reference less; NULL is ignored */
size_t api_keys_count(const struct api_keys *keys);

/* Returns true if both have the same rows in the same lines. */
bool api_keys_equal(const struct api_keys *a, const struct api_keys *b);
/* Finds a key; NULL: it is none of the set. */
const struct api_key *api_keys_find(const struct api_keys *keys, const char *key, size_t len);
bool api_keys_have(const struct api_keys *keys, const char *key, size_t len);
/* Finds the row of a client's certificate by the name of the certificate; NULL: there is none.
 * And the row of those who have no key. */
const struct api_key *api_keys_find_subject(const struct api_keys *keys, const char *subject);
const struct api_key *api_keys_find_keyless(const struct api_keys *keys);
