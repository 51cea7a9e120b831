/* SPDX-License-Identifier: Apache-2.0
 * endpoint.c - routing: matches a path segment by segment against the rows of endpoints.def,
 * and suggests a near path for an unknown one. */
#include "proto/http/endpoint.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "core/posenc.h"
#include "proto/text/word.h"

#define GET METHOD_GET
#define HEAD METHOD_HEAD
#define POST METHOD_POST
#define QUERY METHOD_QUERY
#define PUT METHOD_PUT
#define DELETE METHOD_DELETE
#define OPEN ENDPOINT_OPEN
#define OPERATOR ENDPOINT_OPERATOR
#define KEYLESS ENDPOINT_KEYLESS
#define PAGE (ENDPOINT_KEYLESS | ENDPOINT_PAGE)
#define TWOFOLD ENDPOINT_TWOFOLD
#define FOREIGN ENDPOINT_FOREIGN
#define ACCESS ((unsigned)(OPEN | OPERATOR | PAGE | TWOFOLD | FOREIGN))
static const struct endpoint endpoints[ENDPOINT_COUNT] = {
#define ENDPOINT(ID, PATH, METHODS, WORK, SUMMARY)                                             \
    {.id = ENDPOINT_##ID,                                                                      \
     .path = (PATH),                                                                           \
     .methods = (METHODS) & ~ACCESS,                                                           \
     .access = (METHODS)&ACCESS,                                                               \
     .work = ENDPOINT_##WORK,                                                                  \
     .summary = (SUMMARY)},
#include "proto/http/endpoints.def"
#undef ENDPOINT
};

static const struct {
    const char *name;
    enum endpoint_method method;
} methods[] = {
    {"GET", GET},
    {"HEAD", HEAD},
    {"POST", POST},
    {"QUERY", QUERY},
    {"PUT", PUT},
    {"DELETE", DELETE},
    {"OPTIONS", METHOD_OPTIONS},
};
#undef GET
#undef HEAD
#undef POST
#undef QUERY
#undef PUT
#undef DELETE
#undef OPEN
#undef OPERATOR
#undef KEYLESS
#undef PAGE
#undef TWOFOLD
#undef FOREIGN
#undef ACCESS

enum { METHODS = sizeof methods / sizeof methods[0] };

const struct endpoint *endpoint_at(size_t i)
{
    assert(i < ENDPOINT_COUNT);
    return &endpoints[i];
}

bool endpoint_is_vital(const struct endpoint *endpoint)
{
    return (endpoint->access & (ENDPOINT_OPEN | ENDPOINT_OPERATOR)) != 0;
}

/* The kind of text between a template's braces. */
enum hole { HOLE_NONE, HOLE_ENCODING, HOLE_MODEL, HOLE_ID, HOLE_ANY };

static enum hole hole_of(const char *template, size_t *fixed)
{
    const char *brace = strchr(template, '{');
    *fixed = !brace ? strlen(template) : (size_t)(brace - template);
    if (!brace)
        return HOLE_NONE;
    if (strncmp(brace, "{encoding}", strlen("{encoding}")) == 0)
        return HOLE_ENCODING;
    if (strncmp(brace, "{model}", strlen("{model}")) == 0)
        return HOLE_MODEL;
    return strcmp(brace, "{id}") == 0 ? HOLE_ID : HOLE_ANY;
}

/* Returns whether the path ends with the template's tail. */
static bool has_tail(const char *tail, const char *rest, size_t len)
{
    size_t tail_len = strlen(tail);

    return len > tail_len && memcmp(rest + len - tail_len, tail, tail_len) == 0;
}

/* Returns whether the path is an encoding and the template's tail, "" or "/apply". */
static bool is_encoding(const char *tail, const char *rest, size_t len)
{
    return has_tail(tail, rest, len) && !memchr(rest, '/', len - strlen(tail)) &&
           pe_find(rest, len);
}

/* Returns whether the path is a model's name, with or without an organisation: one segment, or
 * two of which none is empty. */
static bool is_model(const char *rest, size_t len)
{
    const char *slash = memchr(rest, '/', len);
    size_t first = !slash ? len : (size_t)(slash - rest);

    return first > 0 && first + 1 != len &&
           (!slash || !memchr(slash + 1, '/', len - first - 1));
}

/* Returns whether the path is the template, in which each hole stands for one segment. */
static bool matches_segments(const char *template, const char *path, size_t len)
{
    const char *end = path + len;

    while (*template && path < end) {
        if (*template == '{') {
            const char *segment = path;

            path = memchr(path, '/', (size_t)(end - path));
            path = !path ? end : path;
            if (path == segment)
                return false;
            template = strchr(template, '}') + 1;
        } else if (*template ++ != *path++) {
            return false;
        }
    }
    return !*template && path == end;
}

/* Matches the path's start with the template's fixed part, and the rest with its {hole}. */
static bool matches(const char *template, const char *path, size_t len, size_t *fixed)
{
    enum hole hole = hole_of(template, fixed);

    if (len < *fixed || memcmp(template, path, *fixed) != 0)
        return false;
    const char *rest = path + *fixed;
    size_t rest_len = len - *fixed;
    switch (hole) {
    case HOLE_NONE:
        return rest_len == 0;
    case HOLE_ENCODING:
        return is_encoding(strchr(template, '}') + 1, rest, rest_len);
    case HOLE_MODEL:
        return has_tail(strchr(template, '}') + 1, rest, rest_len) &&
               is_model(rest, rest_len - strlen(strchr(template, '}') + 1));
    case HOLE_ANY:
        return matches_segments(template + *fixed, rest, rest_len);
    case HOLE_ID:
        return rest_len > 0 && (!memchr(rest, '/', rest_len) || pe_find(rest, rest_len));
    }
    return false;
}

/* Returns the length of what follows {model} in the template, which is no part of its name. */
static size_t model_tail(const char *template)
{
    const char *hole = strstr(template, "{model}");

    return hole ? strlen(hole + strlen("{model}")) : 0;
}

const struct endpoint *endpoint_find(const char *path, size_t len, const char **segment,
                                     size_t *segment_len)
{
    for (size_t i = 0; i < ENDPOINT_COUNT; i++) {
        size_t fixed;

        if (matches(endpoints[i].path, path, len, &fixed)) {
            if (segment) {
                *segment = path + fixed;
                *segment_len = len - fixed - model_tail(endpoints[i].path);
            }
            return &endpoints[i];
        }
    }
    return NULL;
}

enum endpoint_method endpoint_method_of(const char *name)
{
    for (size_t i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, name) == 0)
            return methods[i].method;
    return METHOD_NONE;
}

void endpoint_allow(const struct endpoint *endpoint, struct buffer *out)
{
    const char *comma = "";

    for (size_t i = 0; i < METHODS; i++) {
        if ((endpoint->methods | METHOD_OPTIONS) & methods[i].method) {
            buffer_add_format(out, "%s%s", comma, methods[i].name);
            comma = ", ";
        }
    }
}

/* Names in the literature for an option of an encoding, and the route that serves it. */
static const struct {
    const char *name, *route;
} method_names[] = {
#define METHOD_NAME(NAME, ROUTE) {(NAME), (ROUTE)},
#include "proto/http/method_names.def"
#undef METHOD_NAME
};

/* Suggests the route that serves a method under another name: "rope?scaling=yarn" for "yarn",
 * also "causal-mask" for "causal". */
static bool suggest_method(const char *name, size_t len, char text[128])
{
    for (size_t i = 0; i < sizeof method_names / sizeof method_names[0]; i++) {
        if (word_is(method_names[i].name, name, len)) {
            snprintf(text, 128, "/v1/%s", method_names[i].route);
            return true;
        }
    }
    int written = snprintf(text, 128, "/v1/%.*s-mask", (int)len, name);
    return pe_find(text + 4, (size_t)written - 4) != NULL;
}

enum { MAX_SUGGESTIONS = 256 };

/* Returns the index behind the slashes at `at`; a doubled slash is a slip, too. */
static size_t behind_slashes(const char *path, size_t len, size_t at)
{
    while (at < len && path[at] == '/')
        at++;
    return at;
}

const char *endpoint_suggest(const char *path, size_t len, char text[128])
{
    /* The path is right except for the slash at its end. */
    if (len > 1 && len <= 100 && path[len - 1] == '/' &&
        endpoint_find(path, len - 1, NULL, NULL)) {
        snprintf(text, 128, "%.*s", (int)(len - 1), path);
        return text;
    }
    /* Segments of /v1/ are encodings; a path without /v1, "/rope", means an encoding too. */
    const char *names[MAX_SUGGESTIONS];
    size_t count = 0;
    for (size_t i = 0; i < pe_count() && count < MAX_SUGGESTIONS; i++)
        names[count++] = pe_name(pe_at(i));
    size_t skip = behind_slashes(path, len, 0);
    if (len - skip > 3 && memcmp(path + skip, "v1/", 3) == 0)
        skip = behind_slashes(path, len, skip + 2);
    if (len > skip && len - skip <= 64) {
        if (suggest_method(path + skip, len - skip, text))
            return text;
        const char *near = pe_suggest(path + skip, len - skip, names, count);
        if (near) {
            snprintf(text, 128, "/v1/%s", near);
            return text;
        }
    }
    count = 0;
    for (size_t i = 0; i < ENDPOINT_COUNT; i++)
        if (!strchr(endpoints[i].path, '{'))
            names[count++] = endpoints[i].path;
    const char *near = len > 4 && len <= 64 ? pe_suggest(path, len, names, count) : NULL;
    if (near)
        snprintf(text, 128, "%s", near);
    return !near ? NULL : text;
}
