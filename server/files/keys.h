/* SPDX-License-Identifier: Apache-2.0
 * keys.h - a set of secret keys, as their SHA-256: what a client shows is compared with every
 * one of them, in a time that does not depend on how much of it is right. */
#ifndef SERVER_KEYS_H
#define SERVER_KEYS_H

#include <stdbool.h>
#include <stddef.h>

enum { KEYS_MAX = 1024, KEYS_LEN_MIN = 16, KEYS_LEN_MAX = 256 };

struct keys; /* immutable, counted */

/* One key a line, of letters, digits and -._~+/= (RFC 6750); empty lines and lines that begin
 * with # are skipped. NULL, and in `why` which line would be right how; no key is ever told. */
struct keys *keys_parse(const char *text, size_t len, char *why, size_t size);
struct keys *keys_share(struct keys *keys); /* one more owner; NULL: NULL */
void keys_drop(struct keys *keys);          /* one owner less; NULL: nothing */
size_t keys_count(const struct keys *keys);

bool keys_have(const struct keys *keys, const char *key, size_t len);

#endif
