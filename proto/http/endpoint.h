/* SPDX-License-Identifier: Apache-2.0
 * endpoint.h - the URL space as a table (endpoints.def), and HTTP methods as a set. */
#ifndef PROTO_ENDPOINT_H
#define PROTO_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/text/buffer.h"

enum endpoint_method { /* bits */
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
#define ENDPOINT(ID, PATH, METHODS, SUMMARY) ENDPOINT_##ID,
#include "proto/http/endpoints.def"
#undef ENDPOINT
    ENDPOINT_COUNT,
    ENDPOINT_NONE = ENDPOINT_COUNT
};

/* Clients that may ask without a key. The bits lie beyond the methods' bits: a row gives
 * both. */
enum endpoint_access {
    ENDPOINT_OPEN = 256, /* every client: the page tells only that the service lives */
    ENDPOINT_OPERATOR =
        512, /* the endpoint moves to --admin-listen if there is such a listener */
};

struct endpoint {
    enum endpoint_id id;
    const char *path; /* the template: the route label of metrics and OpenAPI's path */
    unsigned methods; /* without OPTIONS, which every endpoint answers */
    unsigned access;  /* bits of enum endpoint_access */
    const char *summary;
};

const struct endpoint *endpoint_at(size_t i); /* i < ENDPOINT_COUNT */
/* The endpoint tells the state of the service: it is answered at every level of overload. */
bool endpoint_is_vital(const struct endpoint *endpoint);

/* Finds the endpoint of a decoded path; NULL if there is none, or the path names an unknown
 * encoding. *segment (may be NULL) is the part matched by {...}, borrowed from path; it is
 * an encoding's whole id ("rope/apply"). */
const struct endpoint *endpoint_find(const char *path, size_t len, const char **segment,
                                     size_t *segment_len);

enum endpoint_method endpoint_method_of(const char *name); /* METHOD_NONE if it is unknown */
/* "GET, HEAD, OPTIONS": the value of Allow. */
void endpoint_allow(const struct endpoint *endpoint, struct buffer *out);
/* The nearest path for a 404's hint ("/v1/rope" for "/v1/roep"), NULL if nothing is near. */
const char *endpoint_suggest(const char *path, size_t len, char text[128]);

#endif
