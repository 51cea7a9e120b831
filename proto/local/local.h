/* SPDX-License-Identifier: Apache-2.0
 * local.h - what the service answers to a request, made in this process without a service: a
 * program that has the library inside (the WebAssembly module) asks by the paths, queries and
 * bodies of HTTP, and gets the same bytes. One thread, one request at a time; nothing is kept
 * between two requests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "proto/http/endpoint.h"
#include "proto/text/buffer.h"

struct local_request {
    enum endpoint_method method;
    const char *path; /* decoded */
    size_t path_len;
    const char *query; /* as in a URL, behind the "?"; NULL or empty: none */
    size_t query_len;
    const char *accept; /* the header Accept; NULL: none */
    const char *type;   /* the Content-Type of the body; NULL: there is no body */
    const char *body;
    size_t body_len;
};

struct local_answer {
    unsigned status;
    const char *type;      /* the media type of the body; static */
    struct buffer headers; /* lines "Name: value" that end in "\n": those that formats decide,
                            * Content-Location, and Content-Length of an answer to HEAD */
    struct buffer body;
};

/* Answers the request. Returns false when out of memory: *answer is empty then. The caller
 * calls local_answer_fini. Endpoints of a running service (health, metrics, tables of an
 * operator, the Open Inference Protocol, pages) are answered 404. HEAD has a body where its
 * length is not known before it is computed. */
bool local_answer(const struct local_request *request, struct local_answer *answer);
void local_answer_fini(struct local_answer *answer);
