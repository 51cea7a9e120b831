/* SPDX-License-Identifier: Apache-2.0
 * table_key.h - the text that decides a shared table, as a table_key hook writes it: names and
 * the bits of numbers. Every request writes one, so printf is not asked. */
#ifndef PE_TABLE_KEY_H
#define PE_TABLE_KEY_H

#include <stddef.h>

/* {text, size}: as snprintf, len counts on where there is no room. */
struct table_key {
    char *text;
    size_t size, len;
};

/* " name=" and 16 hexadecimal digits: equal texts, equal bits. */
void table_key_add(struct table_key *key, const char *name, double value);

#endif
