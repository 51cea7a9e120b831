/* SPDX-License-Identifier: Apache-2.0
 * document.h - a document, JSON or HTML, that is written for each request, because its content
 * may change; its entity tag lets a client ask again without a transfer. */
#pragma once

#include <microhttpd.h>

#include "proto/describe/fields.h"
#include "server/exchange/internal.h"

#define DOCUMENT_JSON "application/json"

/* The entity tag of a document: a hash of its text, and how the text is coded. */
struct document_tag {
    char text[64]; /* with its quotes */
};
struct document_tag document_tag_of(const char *bytes, size_t len, enum content_coding coding);

/* Adds Content-Type, and what a browser may do with a document of that type. */
bool document_add_type(struct MHD_Response *response, const char *type);
/* Queues the text, which is emptied, as JSON or as that type, to be cached for a minute; after
 * a POST, and of /v1/verify, not at all. */
enum next document_answer(struct exchange *ex, struct buffer *text);
enum next document_answer_as(struct exchange *ex, const char *type, struct buffer *text);
/* Reads what the request's query asks of a list, all by default. False: the problem's step is
 * next. */
bool document_fields(struct exchange *ex, const struct fields *fields,
                     struct fields_query *asked);
/* True if the path, which takes no parameters, was given some: the problem's step is next. */
bool document_has_query(struct exchange *ex);
