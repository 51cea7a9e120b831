/* SPDX-License-Identifier: Apache-2.0
 * visit.h - a service in this process and one client of it: what most tests of server/ need. */
#pragma once

#include "tests/support/http_client.h"
#include "tests/support/served.h"

struct visit {
    struct service *service;
    struct http_client *client;
    struct http_answer answer; /* to the last question */
};

/* Starts the service as served_start does, and connects the client. */
void visit_begin(struct visit *visit, void (*adjust)(struct config *config));
void visit_end(struct visit *visit);

/* Returns the client's end of another connection to the first loop, whose server side takes a
 * few kilobytes at once; close() it. */
int visit_connect_narrow(const struct visit *visit);

/* Closes the client's connection and opens another, perhaps on another loop. */
void visit_reconnect(struct visit *visit);

/* Asks with GET; fails the test unless the answer has this status and these words in its
 * body. */
void visit_get(struct visit *visit, const char *target, int status, const char *words);
/* headers are whole lines, or NULL. */
void visit_ask(struct visit *visit, const char *method, const char *target,
               const char *headers);
/* Asks with If-None-Match and further header lines. */
void visit_ask_if_none_match(struct visit *visit, const char *target, const char *tag,
                             const char *more);
/* Fails the test unless the answer has this status and these words in its body. */
void visit_expect(const struct visit *visit, int status, const char *words);
/* Fails the test unless the answer has the header with this value; NULL: unless it has none. */
void visit_expect_header(struct visit *visit, const char *name, const char *value);
void visit_expect_in_body(const struct visit *visit, const char *text);
