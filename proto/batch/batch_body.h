/* SPDX-License-Identifier: Apache-2.0
 * batch_body.h - the body of a batch, many requests for encodings in one JSON object:
 *
 *     {"requests": [{"path": "/v1/rope?dim=8&pos=0:4"},
 *                   {"id": "q", "encoding": "rope/apply",
 *                    "params": {"pos": "0:1", "x": [[1, 0]]}}]}
 *
 * The body is checked as a whole first; then each request is read when its turn comes. */
#pragma once

#include <stddef.h>

#include "core/posenc.h"
#include "proto/text/json_body.h"

struct format;
struct models;
struct request;
struct tables;

enum { BATCH_REQUESTS_MAX = 1000, BATCH_ID_MAX = 64, BATCH_PATH_MAX = 8192 };

struct batch_item {
    const char *id; /* NULL: none was given. It borrows from the body, as all below do */
    const struct pe_encoding *enc;
    const char *query; /* of a path: the text behind "?", perhaps ""; NULL: there is no path */
    size_t query_len;
    struct json_body_value params; /* an object */
    bool has_params;
};

struct batch_body { /* {0} has no requests */
    const struct json_body *json;
    struct batch_item *items;
    size_t count;
};

/* Checks a finished body of json_body_new, which must outlive *body. base: the prefix of
 * every path of the service, or "". Every problem has the JSON pointer of what is wrong. */
enum pe_status batch_body_check(struct batch_body *body, const struct json_body *json,
                                const char *base, struct pe_errors *errors);
void batch_body_fini(struct batch_body *body);

/* Where names are looked up, as in request.h; the format that all answers have. */
struct batch_context {
    const struct format *format;
    const struct models *models;
    const struct tables *tables;
};
/* Makes the request number i, finished. *request is NULL when out of memory, and else the
 * caller's, whatever the result. The problem of a parameter has its name if it came in a path,
 * or else its pointer, which begins at the request's params. */
enum pe_status batch_body_read(const struct batch_body *body, size_t i,
                               const struct batch_context *context, struct request **request,
                               struct pe_errors *errors);
/* Returns the bytes of the numbers in arrays of request number i, which take time to read. */
size_t batch_body_number_bytes(const struct batch_body *body, size_t i);
/* Prints the pointer of the place where pointers of request number i begin ("#/dim"):
 * "#/requests/3/params". */
enum { BATCH_PLACE_SIZE = 48 };
void batch_body_print_place(size_t i, char text[BATCH_PLACE_SIZE]);
