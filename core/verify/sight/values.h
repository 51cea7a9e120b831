/* SPDX-License-Identifier: Apache-2.0
 * values.h - values of parameters that tensors show, joined as in a query: the draft of a
 * claim. */
#pragma once

#include "core/verify/sight/sight.h"

struct values {
    const struct pe_encoding *enc; /* that has the parameters; others are left out */
    char *text;
    size_t len, size;
};

/* Begins the value of a parameter; false: the encoding has none of this name. */
bool values_begin(struct values *values, const char *name);
/* Appends to the value that was begun. */
void __attribute__((format(printf, 2, 3)))
values_append(struct values *values, const char *format, ...);
/* Adds a whole number; false as values_begin. */
bool values_whole(struct values *values, const char *name, uint64_t value);

/* Writes what is shown as values; false where the encoding cannot say it. */
typedef bool values_write(struct values *values, const void *shown);

/* Tries an encoding, or the encodings of a family, those of shorter names first, with values
 * of at most so many characters; those that lack a required parameter are left out. Returns
 * arguments that have the tensors' numbers, whose roles are set, or NULL. */
struct pe_args *values_try(struct sight *sight, const struct pe_encoding *enc, size_t size,
                           values_write *write, const void *shown,
                           struct pe_verify_role *roles);
struct pe_args *values_try_family(struct sight *sight, enum pe_family family, size_t size,
                                  values_write *write, const void *shown,
                                  struct pe_verify_role *roles);
