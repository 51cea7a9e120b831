/* SPDX-License-Identifier: Apache-2.0
 * http_ask.c - see http_ask.h. */
#include "tests/support/http_ask.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *http_ask_word(char **text)
{
    char *at = *text + strspn(*text, " "), *word, *to;
    bool escapes = at[0] == '$' && at[1] == '\'';
    bool quoted = escapes || at[0] == '\'';
    char end = quoted ? '\'' : ' ';

    if (!*at)
        return NULL;
    at += quoted + escapes;
    word = to = at;
    for (; *at && *at != end; at++) {
        char c = *at;

        if (escapes && c == '\\' && at[1]) {
            c = *++at;
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
        }
        *to++ = c;
    }
    *text = at + (*at != '\0');
    *to = '\0';
    return word;
}

static const char *take_option(struct http_ask *parts, const char *option, char **text)
{
    char *value = http_ask_word(text);

    if (!value)
        return "an option of the request has no value";
    if (strcmp(option, "-d") == 0 && !parts->body) {
        parts->body = value;
        return NULL;
    }
    if (strcmp(option, "-H") != 0 || parts->header_count == HTTP_ASK_HEADERS)
        return "a request has the options -d, once, and -H";
    parts->headers[parts->header_count++] = value;
    return NULL;
}

const char *http_ask_parse(struct http_ask *parts, const char *request)
{
    const char *option, *why = NULL;
    char *text;

    *parts = (struct http_ask){0};
    parts->words = text = strdup(request);
    if (request[0] != '/')
        parts->method = http_ask_word(&text);
    parts->target = http_ask_word(&text);
    if (!parts->target || parts->target[0] != '/')
        return "a request is [METHOD] /TARGET [-H 'NAME: VALUE'] [-d 'BODY']";
    while (!why && (option = http_ask_word(&text)))
        why = take_option(parts, option, &text);
    return why;
}
