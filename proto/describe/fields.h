/* SPDX-License-Identifier: Apache-2.0
 * fields.h - the members of an entry of a list (/v1/encodings, /v1/models) as a table, from
 * which the entries, the parameter fields=name,title, its errors and its schema derive. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/text/buffer.h"

struct fields_row {
    const char *name;
    void (*write)(struct buffer *out, const void *entry); /* the value; nothing: no member */
};

struct fields {
    const struct fields_row *rows;
    size_t count;  /* at most 64 */
    bool searched; /* the list takes q=, words that entries must have */
};

/* The members and the words that the query of a list selects. */
enum { FIELDS_WORDS_MAX = 128 };
struct fields_query {
    uint64_t set;                 /* of members */
    char words[FIELDS_WORDS_MAX]; /* of q=; "": every entry */
};

#define FIELDS_ALL UINT64_MAX /* a set of fields has bit i for row i */

/* Reads "name,title" into *set. */
enum pe_status fields_parse(const struct fields *fields, const char *text, size_t len,
                            uint64_t *set, struct pe_errors *errors);
/* Reads the query of a list: fields=, and q= of a list that is searched; an empty one means
 * all. */
enum pe_status fields_parse_query(const struct fields *fields, const char *query, size_t len,
                                  struct fields_query *asked, struct pe_errors *errors);
/* Writes the entry with the members of the set, in the order of the rows. */
void fields_write(struct buffer *out, const struct fields *fields, uint64_t set,
                  const void *entry);
/* Does the work of fields_write without the closing brace, for members that follow. */
void fields_write_open(struct buffer *out, const struct fields *fields, uint64_t set,
                       const void *entry);
/* Writes OpenAPI's descriptions of the parameters. */
void fields_write_parameters(struct buffer *out, const struct fields *fields);
