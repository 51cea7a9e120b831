/* SPDX-License-Identifier: Apache-2.0
 * web.h - requests to a child posencd through libcurl, one connection each unless kept. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct web; /* a libcurl handle: its connections are kept and used again */

struct ask {
    const char *method;         /* NULL: GET */
    const char *target;         /* "/v1/rope?dim=8&pos=0:4", sent as it stands */
    const char *const *headers; /* "Name: value", NULL-terminated; NULL: none */
    const char *body;           /* NULL: none; a text, unless body_len says otherwise */
    size_t body_len;
    bool chunked; /* send the body in chunks, without Content-Length */
};

struct answer {
    long status;
    long connects; /* new connections this request needed */
    char *body;    /* NUL-terminated beyond len */
    size_t len;
    char *head; /* of the final answer, lines end with "\r\n" */
    char value[1024];
};

struct web *web_new(const char *base_url);
void web_free(struct web *web);
/* Sends the request and receives the answer; fails the test when there is none. Frees the
 * earlier content of *answer. */
void web_ask(struct web *web, const struct ask *ask, struct answer *answer);
/* Sends a GET without headers. */
void web_get(struct web *web, const char *target, struct answer *answer);
void answer_fini(struct answer *answer);
/* Value of a header, NULL if absent; fails the test if there are two. Valid until the next
 * call with this answer. */
const char *answer_header(struct answer *answer, const char *name);
