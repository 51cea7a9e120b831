/* SPDX-License-Identifier: Apache-2.0
 * http_ask.h - a request that is written as curl's arguments. */
#pragma once

#include <stddef.h>

enum { HTTP_ASK_HEADERS = 8 };

/* A request in parts. The pointers lead into `words`, which the caller frees. */
struct http_ask {
    char *words;
    const char *method; /* NULL: GET */
    const char *target, *body;
    const char *headers[HTTP_ASK_HEADERS];
    size_t header_count;
};

/* Cuts the next word off a text as a shell does: bare, in '...' or in $'...'. NULL: no more. */
char *http_ask_word(char **text);
/* Takes a request apart, such as "POST /v1/rope -H 'Content-Type: application/json' -d '{}'".
 * NULL, or why the text is no request; .words is to be freed then too. */
const char *http_ask_parse(struct http_ask *parts, const char *request);
