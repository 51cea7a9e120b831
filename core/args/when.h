/* SPDX-License-Identifier: Apache-2.0
 * when.h - the condition in a parameter's row: which other parameters give it an effect.
 *
 *     when = clause *("&" clause)      clause = ["!"] name ["=" word *("|" word)]
 *
 * "causal" holds when the parameter has a value (of a boolean: is true), "mode=bicubic|linear"
 * when it has one of these values; "!" negates. All clauses must hold. A choice without a value
 * holds every clause that compares it: what it becomes is known only after `resolve`. */
#ifndef PE_WHEN_H
#define PE_WHEN_H

#include "core/args/args.h"

/* A clause, as text of the row. */
struct when_clause {
    const char *name; /* name_len bytes */
    size_t name_len;
    const char *words; /* words_len bytes, "bicubic|linear"; NULL: any value */
    size_t words_len;
    bool negated;
};

/* Read the clause at *text, which is not empty, and move *text to the next or to the end. */
struct when_clause when_next(const char **text);
/* Return the index of the clause's parameter; a clause names one of its own encoding. */
size_t when_param(const struct pe_encoding *enc, const struct when_clause *clause);
/* Add a problem for each given parameter that a wanted output uses and whose row has a clause
 * that does not hold. */
void when_check(const struct pe_args *args, struct pe_errors *errors);

#endif
