/* SPDX-License-Identifier: Apache-2.0
 * lookup.h - matrices of queries and keys whose elements are rows of a table: which row belongs
 * to a pair is a rule. */
#ifndef PE_MATH_LOOKUP_H
#define PE_MATH_LOOKUP_H

#include "core/encoding.h"

/* out[t] = number of the row for query number `query` and key number key + t. Defines the
 * numbers; must not depend on how a row of keys is divided. */
typedef void lookup_row(const void *rule, uint64_t query, uint64_t key, size_t count,
                        double *out);

struct lookup {
    lookup_row *row;
    const void *rule;
};

/* Fill an output (queries, keys) with the numbers. False when out of memory. The rule lives as
 * long as the plan. */
bool lookup_fill_index(struct pe_build *build, size_t group, const struct lookup *lookup);

#endif
