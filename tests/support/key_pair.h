/* SPDX-License-Identifier: Apache-2.0
 * key_pair.h - a key and a certificate that it has signed itself, in PEM, for tests of TLS. */
#pragma once

enum key_kind { KEY_KIND_P256, KEY_KIND_P384, KEY_KIND_ED25519, KEY_KIND_RSA2048 };

enum { KEY_PAIR_TEXT = 8192 };

struct key_pair {
    char chain[KEY_PAIR_TEXT], key[KEY_PAIR_TEXT]; /* texts */
};

/* Makes a pair that is valid for an hour; fails the test if that is not possible. */
void key_pair_make(struct key_pair *pair, enum key_kind kind);
