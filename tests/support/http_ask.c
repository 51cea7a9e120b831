/* SPDX-License-Identifier: Apache-2.0
 * http_ask.c - see http_ask.h. */
#include "tests/support/http_ask.h"

#include <stdio.h>
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
    if (strcmp(option, "-d") == 0 && !parts->ask.body) {
        parts->ask.body = value;
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
    parts->ask.headers = parts->headers;
    if (request[0] != '/')
        parts->ask.method = http_ask_word(&text);
    parts->ask.target = http_ask_word(&text);
    if (!parts->ask.target || parts->ask.target[0] != '/')
        return "a request is [METHOD] /TARGET [-H 'NAME: VALUE'] [-d 'BODY']";
    while (!why && (option = http_ask_word(&text)))
        why = take_option(parts, option, &text);
    return why;
}

/* Returns the header with the entity tag of the target in place of {ETag}; the caller frees. */
static char *fill_in(struct web *web, const char *header, const char *target)
{
    static const char mark[] = "{ETag}";
    const char *at = strstr(header, mark), *tag;
    struct answer answer = {0};
    char *filled;

    if (!at)
        return strdup(header);
    web_ask(web, &(struct ask){.method = "HEAD", .target = target}, &answer);
    tag = answer_header(&answer, "ETag");
    if (asprintf(&filled, "%.*s%s%s", (int)(at - header), header, tag ? tag : "(no ETag)",
                 at + sizeof mark - 1) < 0)
        abort();
    answer_fini(&answer);
    return filled;
}

const char *http_ask(struct web *web, const char *request, struct answer *answer)
{
    struct http_ask parts;
    const char *why = http_ask_parse(&parts, request);
    char *filled[HTTP_ASK_HEADERS];

    for (size_t i = 0; !why && i < parts.header_count; i++)
        parts.headers[i] = filled[i] = fill_in(web, parts.headers[i], parts.ask.target);
    if (!why) {
        web_ask(web, &parts.ask, answer);
        for (size_t i = 0; i < parts.header_count; i++)
            free(filled[i]);
    }
    free(parts.words);
    return why;
}
