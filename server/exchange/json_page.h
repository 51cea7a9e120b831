/* SPDX-License-Identifier: Apache-2.0
 * json_page.h - JSON that is written for each request, because what it tells may change: a tag
 * of the bytes makes it cheap to ask for again. */
#ifndef SERVER_JSON_PAGE_H
#define SERVER_JSON_PAGE_H

#include "server/exchange/internal.h"

/* The entity tag of a page: a hash of its text, and how the text is coded. */
struct json_page_tag {
    char text[64]; /* with its quotes */
};
struct json_page_tag json_page_tag_of(const char *bytes, size_t len,
                                      enum content_coding coding);

/* Queues the text, which is emptied, with a minute to live; of a POST nothing is kept. */
enum next json_page_answer(struct exchange *ex, struct buffer *text);
/* The path takes no parameters and was given some: that is the problem now. */
bool json_page_has_query(struct exchange *ex);

#endif
