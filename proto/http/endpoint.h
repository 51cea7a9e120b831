/* SPDX-License-Identifier: Apache-2.0
 * endpoint.h - the URL space as a table (endpoints.def), and HTTP methods as a set. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"

/* The methods are bits of a set. */
enum endpoint_method {
    METHOD_NONE = 0,
    METHOD_GET = 1,
    METHOD_HEAD = 2,
    METHOD_POST = 4,
    METHOD_QUERY = 8,
    METHOD_OPTIONS = 16,
    METHOD_PUT = 32,
    METHOD_DELETE = 64,
};

enum endpoint_id {
#define ENDPOINT(ID, PATH, METHODS, WORK, SUMMARY) ENDPOINT_##ID,
#include "proto/http/endpoints.def"
#undef ENDPOINT
    ENDPOINT_COUNT,
    ENDPOINT_NONE = ENDPOINT_COUNT
};

/* Tells which clients need no key. The bits lie beyond the methods' bits, so that a row gives
 * both. */
enum endpoint_access {
    ENDPOINT_OPEN = 256, /* every client: the page says only that the service lives */
    ENDPOINT_OPERATOR =
        512, /* the endpoint moves to --admin-listen if there is such a listener */
    ENDPOINT_KEYLESS =
        1024,             /* every client: the page computes nothing, and is the same for all */
    ENDPOINT_PAGE = 2048, /* a page for people, which is keyless and no part of OpenAPI */
    ENDPOINT_TWOFOLD = 4096, /* a page, without a key, for clients that ask for HTML */
    ENDPOINT_FOREIGN = 8192, /* of a protocol that is described elsewhere; no part of OpenAPI */
};

/* The class of what an answer costs and holds. It decides the thread that makes the answer and
 * where its bytes are counted before they are made. An answer of a class that computes is
 * refused with 503 where the budget of --max-inflight has no bytes left for it. */
enum endpoint_work {
    /* A few lines, or bytes that are part of the program: made on the loop in less than a
     * millisecond. It reserves bytes as it is written, and may go beyond the budget by the
     * allowance of a connection. */
    ENDPOINT_BRIEF,
    /* A text that is written once and kept: an entry of the cache, made on the pool for all
     * requests that ask for it, and reserved as it is written. */
    ENDPOINT_DOCUMENT,
    /* A text that depends on the body of one request: made by a job of that request on the
     * pool, and reserved as it is written. */
    ENDPOINT_ALONE,
    /* Numbers: their plan tells the cost and the bytes before any is made. */
    ENDPOINT_PLANNED,
};

struct endpoint {
    enum endpoint_id id;
    const char *path;        /* the template: the route label of metrics and OpenAPI's path */
    unsigned methods;        /* OPTIONS, which every endpoint has, is not among them */
    unsigned access;         /* bits of enum endpoint_access */
    enum endpoint_work work; /* of GET; a change of a table, by PUT or DELETE, is ALONE */
    const char *summary;
};

const struct endpoint *endpoint_at(size_t i); /* i < ENDPOINT_COUNT */
/* Returns whether the endpoint tells the service's state: it is served at any overload. */
bool endpoint_is_vital(const struct endpoint *endpoint);

/* Finds the endpoint of a decoded path; NULL if there is none, or the path names an unknown
 * encoding. *segment (may be NULL) is the part matched by {...}, borrowed from path; for an
 * encoding it is the whole id ("rope/apply"). */
const struct endpoint *endpoint_find(const char *path, size_t len, const char **segment,
                                     size_t *segment_len);

enum endpoint_method endpoint_method_of(const char *name); /* METHOD_NONE if it is unknown */
/* Writes the value of Allow: "GET, HEAD, OPTIONS". */
void endpoint_allow(const struct endpoint *endpoint, struct buffer *out);
/* Returns the nearest path for a 404's hint ("/v1/rope" for "/v1/roep"); NULL if none. */
const char *endpoint_suggest(const char *path, size_t len, char text[128]);
