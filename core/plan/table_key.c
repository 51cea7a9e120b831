/* SPDX-License-Identifier: Apache-2.0
 * table_key.c - see table_key.h. */
#include "core/plan/table_key.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS = 16 };

static void add_text(struct table_key *key, const char *text, size_t len)
{
    if (key->len < key->size) {
        size_t left = key->size - key->len - 1, kept = len < left ? len : left;

        memcpy(key->text + key->len, text, kept);
        key->text[key->len + kept] = '\0';
    }
    key->len += len;
}

void table_key_add(struct table_key *key, const char *name, double value)
{
    char digits[DIGITS];
    size_t count = 0;
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    do /* trailing zeros, of which there are many, are left out */
        digits[count++] = "0123456789abcdef"[bits >> 60];
    while (bits <<= 4);
    add_text(key, " ", 1);
    add_text(key, name, strlen(name));
    add_text(key, "=", 1);
    add_text(key, digits, count);
}
