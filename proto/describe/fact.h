/* SPDX-License-Identifier: Apache-2.0
 * fact.h - the facts that answers state, as a table (facts.def): name, type, encodings,
 * meaning. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/posenc.h"

struct fact {
    const char *name;
    const char *type;      /* of JSON: "number" or "string" */
    const char *encodings; /* words, as facts.def explains them */
    const char *summary;
};

size_t fact_count(void);
const struct fact *fact_at(size_t i); /* i < fact_count() */
/* Returns whether answers of the encoding may state the fact. */
bool fact_is_of(const struct fact *fact, const struct pe_encoding *enc);
