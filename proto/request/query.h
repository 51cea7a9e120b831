/* SPDX-License-Identifier: Apache-2.0
 * query.h - splits a raw query string into decoded names and values. Parsing is strict: text
 * without exactly one meaning is an error. "+" is a plus. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"

enum { QUERY_MAX_PARAMETERS = 32 };

struct query_parameter {
    const char *name, *value; /* decoded, NUL-terminated, without control characters */
    size_t name_len, value_len;
};

struct query {
    char *text;   /* the parameters point into it */
    char *joined; /* values that were joined; NULL: none */
    size_t count;
    struct query_parameter at[QUERY_MAX_PARAMETERS];
};

/* Splits at "&" and the first "=", decodes %XX. A parameter that cannot be read (a bad escape,
 * a control character, no name, no "=") is added to *errors and left out of *query; all others
 * are in *query. Returns the status of the last error, PE_OK if there was none. */
enum pe_status query_parse(struct query *query, const char *text, size_t len,
                           struct pe_errors *errors);
void query_fini(struct query *query);

/* Does the work of query_parse for a request, and joins by commas, at the place of the first,
 * the values of a list that are given one by one, as many clients write lists: "pos=0&pos=1"
 * means "pos=0,1". Lists are positions, numbers that have no rows, and the names of outputs. */
enum pe_status query_parse_joined(struct query *query, const struct pe_encoding *enc,
                                  const char *text, size_t len, struct pe_errors *errors);

/* Adds the problem of more than QUERY_MAX_PARAMETERS parameters, in a query or a body. */
enum pe_status query_refuse_many(size_t count, struct pe_errors *errors);
