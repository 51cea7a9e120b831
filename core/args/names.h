/* SPDX-License-Identifier: Apache-2.0
 * names.h - the names that parameters of several encodings have, and other spellings of a
 * parameter's name: old ones, and those of other libraries. */
#pragma once

#include "core/posenc.h"

/* A row of names.def. */
struct name {
    const char *name;
    const char *types; /* "integer", "positions or tensor", in the words of the catalogue */
    enum pe_group group;
    enum pe_level level;
    const char *meaning; /* half a sentence */
};

size_t names_count(void);
const struct name *names_at(size_t i); /* sorted by name */
/* Find the row of a name; NULL if names.def has none. */
const struct name *names_find(const char *name);

/* The rows of spellings.def. */
size_t names_spelling_count(void);
const struct pe_spelling *names_spelling_at(size_t i);
