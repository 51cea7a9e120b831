/* SPDX-License-Identifier: Apache-2.0
 * vocabulary.h - every name that a request for an encoding may hold: its parameters, what
 * all encodings have (out, dtype) and the options. */
#ifndef PROTO_VOCABULARY_H
#define PROTO_VOCABULARY_H

#include <stddef.h>

#include "core/posenc.h"

enum { VOCABULARY_MAX = 80 };

/* All names, in the order above; returns how many. */
size_t vocabulary_list(const struct pe_encoding *enc, const char *names[VOCABULARY_MAX]);
/* The name itself, always the same pointer; NULL if it is none of them. */
const char *vocabulary_find(const struct pe_encoding *enc, const char *name, size_t len);
/* Adds the problem of an unknown name, with the nearest known one as its hint; returns its
 * status. */
enum pe_status vocabulary_refuse(const struct pe_encoding *enc, const char *name, size_t len,
                                 struct pe_errors *errors);

#endif
