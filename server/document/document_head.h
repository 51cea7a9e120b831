/* SPDX-License-Identifier: Apache-2.0
 * document_head.h - what the responses of documents say besides their text: type, policy,
 * entity tag and caching. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/describe/fields.h"
#include "server/exchange/response.h"
#include "server/http/if_none_match.h"

#define DOCUMENT_JSON "application/json"

/* The hash of a document's text, and the entity tag that follows from it and the coding. */
struct document_hash {
    uint64_t high, low;
};
struct document_hash document_hash_of(const char *bytes, size_t len);
struct document_tag {
    char text[64]; /* with its quotes */
};
struct document_tag document_tag_of(struct document_hash hash, enum content_coding coding);

/* Writes Content-Type, and what a browser may do with a document of that type. */
void document_write_type(struct header_block *block, const char *type);
/* Returns the header fields of a document, with Link, as lines "Name: value\n"; malloc'd, NULL:
 * no memory. foreign: a document of the Open Inference Protocol, which has few fields. */
char *document_lines(const struct config *config, const char *type, bool foreign);

/* The fields that a 200 and a 304 share. kept: the document may be asked for again, with its
 * tag, for a minute; else it is not to be stored. */
struct response_meta document_meta_of(const struct exchange *ex, bool kept,
                                      enum content_coding coding,
                                      const struct document_tag *tag);
/* Returns what the request says about that tag in If-None-Match. */
enum if_none_match document_condition(const struct exchange *ex,
                                      const struct document_tag *tag);

/* Reads what the request's query asks of a list, all by default. False: the problem's step is
 * next. */
bool document_fields(struct exchange *ex, const struct fields *fields,
                     struct fields_query *asked);
/* True if the path, which takes no parameters, was given some: the problem's step is next. */
bool document_has_query(struct exchange *ex);
