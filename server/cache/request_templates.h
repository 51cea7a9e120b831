/* SPDX-License-Identifier: Apache-2.0
 * request_templates.h - checked requests of one loop, kept for requests that differ in the text
 * of `pos` alone. A client that decodes asks for one row after the other; reading and checking
 * its parameters again would cost more than computing the row.
 *
 * A target is kept when it comes for the second time but for `pos`. The table has one place for
 * each hash, so that it needs no eviction; another target of the same hash takes the place. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum {
    REQUEST_TEMPLATES_MAX = 64,      /* places of a loop */
    REQUEST_TEMPLATES_KEY_MAX = 512, /* bytes of a target and Accept that are kept */
};

struct request;
struct request_templates;

/* A target told apart: the text of `pos`, and all other bytes that decide the request. */
struct request_templates_key {
    char bytes[REQUEST_TEMPLATES_KEY_MAX];
    size_t len;
    const char *position; /* borrowed from the query */
    size_t position_len;
    unsigned generation; /* of the service's models and tables when the key was made */
};

struct request_templates *request_templates_new(void); /* NULL: out of memory */
void request_templates_free(struct request_templates *templates);

/* Makes the key of an encoding's name, a raw query and Accept (NULL: none). Returns false for a
 * query without `pos`, with escapes in it, or with more bytes than are kept. */
bool request_templates_key(struct request_templates_key *key, const char *name, size_t name_len,
                           const char *query, size_t query_len, const char *accept,
                           unsigned generation);
/* Returns a finished request made from the template of the key; NULL: the query must be read.
 * Then *wanted says whether the request that is read should become the template: request_keep
 * is called before it is finished, and request_templates_add afterwards. */
struct request *request_templates_find(struct request_templates *templates,
                                       const struct request_templates_key *key, bool *wanted);
/* Keeps a copy of the finished request as the template of the key, if it can be one: with the
 * positions of the key it must be this request. */
void request_templates_add(struct request_templates *templates,
                           const struct request_templates_key *key,
                           const struct request *request);
