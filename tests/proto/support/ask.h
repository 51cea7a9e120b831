/* SPDX-License-Identifier: Apache-2.0
 * ask.h - makes a whole request in one call, for the suites of proto. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "core/posenc.h"
#include "proto/http/format.h"
#include "proto/request/request.h"

struct ask {
    struct request *request;
    struct pe_errors errors;
    enum pe_status status;   /* the status of the last step */
    struct pe_plan *plan;    /* NULL after a failure */
    struct encoder *encoder; /* NULL after a failure */
};

extern const struct request_limits ask_generous;

/* Makes request, plan and encoder of a query, under generous limits. accept may be NULL. */
void ask_query(struct ask *ask, const char *encoding, const char *query, const char *accept);
/* Does the work of ask_query with a body, JSON or as tensor_text.h writes it; query may be
 * NULL. */
void ask_body(struct ask *ask, const char *encoding, const char *query, const char *body);
/* Does the work of ask_body under the given limits; body may be NULL. */
void ask_under(struct ask *ask, const char *encoding, const char *query, const char *body,
               const struct request_limits *limits);
/* Splits "/v1/rope?pos=0:4&dim=8" into encoding and query for ask_query. */
void ask_url(struct ask *ask, const char *url);
void ask_free(struct ask *ask);

/* Reads the response in chunks of `space` bytes, NUL-terminated; free() it. A failed ask fails
 * the test. */
char *ask_read(struct ask *ask, size_t space, size_t *len);
/* Returns the response to a query; fails the test if there is none. */
char *ask_answer(const char *encoding, const char *query, size_t *len);
/* Returns the response as parsed JSON. */
json_t *ask_json(const char *encoding, const char *query);
/* Returns the JSON text of a node, NUL-terminated; free() it, not by jansson's allocator. */
char *ask_text(const json_t *node);
/* Writes the header of that name, "" if the response has none. Returns value. */
enum { ASK_HEADER_MAX = 600 };
const char *ask_header(const struct ask *ask, const char *name, char value[ASK_HEADER_MAX]);

/* Returns the sentence on the one error of a query and a body, "dim: must be ...", in `text`.
 * Fails the test if there is not exactly one error. */
const char *ask_body_problem(const char *encoding, const char *query, const char *body,
                             char text[512]);
