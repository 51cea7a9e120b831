/* SPDX-License-Identifier: Apache-2.0
 * json_page.h - JSON that is written for each request, because its content may change; its
 * entity tag lets a client ask again without a transfer. */
#pragma once

#include "proto/describe/fields.h"
#include "server/exchange/internal.h"

/* The entity tag of a page: a hash of its text, and how the text is coded. */
struct json_page_tag {
    char text[64]; /* with its quotes */
};
struct json_page_tag json_page_tag_of(const char *bytes, size_t len,
                                      enum content_coding coding);

/* Queues the text, which is emptied, to be cached for a minute; after a POST, and of
 * /v1/verify, not at all. */
enum next json_page_answer(struct exchange *ex, struct buffer *text);
/* Reads fields= of the request's query, all by default. False: the problem's step is next. */
bool json_page_fields(struct exchange *ex, const struct fields *fields, uint64_t *set);
/* True if the path, which takes no parameters, was given some: the problem's step is next. */
bool json_page_has_query(struct exchange *ex);
