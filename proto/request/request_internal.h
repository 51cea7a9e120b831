/* SPDX-License-Identifier: Apache-2.0
 * request_internal.h - the inside of struct request, for request*.c. */
#ifndef PROTO_REQUEST_INTERNAL_H
#define PROTO_REQUEST_INTERNAL_H

#include "proto/request/inputs.h"
#include "proto/request/param_names.h"
#include "proto/request/request.h"

struct request_given {
    const struct pe_param *param; /* the row that param_names_find found for the name */
    bool in_body;
};

struct request {
    const struct pe_encoding *enc;
    struct pe_args *args;
    const struct models *models;
    struct request_options options;
    struct inputs inputs;
    struct request_given given[PARAM_NAMES_MAX];
    size_t given_count;
    bool has_body;
    char *key; /* hashed for the tag; ends with the canonical form or lists */
    size_t canonical_at, key_len;
    uint64_t list_bytes; /* the bytes of the long lists */
    char etag[40], gzip_etag[64];
};

/* request_check.c: gives what is wrong from number `before` on its JSON pointer, if it is
 * about the body. */
void request_check_mark(const struct request *request, struct pe_errors *errors, size_t before);
/* Checks the options, the model, the tensors and the arguments, all at once, and chooses
 * options.format (NULL: none fits). Problems are in *errors. */
void request_check(struct request *request, struct pe_errors *errors);

/* request_key.c: canonical form and tags, of checked arguments and options. */
enum pe_status request_write_key(struct request *request, struct pe_errors *errors);

#endif
