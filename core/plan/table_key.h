/* SPDX-License-Identifier: Apache-2.0
 * table_key.h - writes the text that identifies a shared table, for table_key hooks: names and
 * the bits of numbers. It avoids printf, since every request writes one. */
#pragma once

#include <stddef.h>

/* A buffer {text, size}: len counts on where the text does not fit, as with snprintf. */
struct table_key {
    char *text;
    size_t size, len;
};

/* Adds " name=" and the bits of the value in hexadecimal: equal texts mean equal bits. */
void table_key_add(struct table_key *key, const char *name, double value);
