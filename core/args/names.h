/* SPDX-License-Identifier: Apache-2.0
 * names.h - the names that parameters of several encodings have, and other spellings of a
 * parameter's name: old ones, and those of other libraries. */
#pragma once

#include "core/posenc.h"

/* The rows of spellings.def. */
size_t names_spelling_count(void);
const struct pe_spelling *names_spelling_at(size_t i);
