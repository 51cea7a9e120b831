/* SPDX-License-Identifier: Apache-2.0
 * request_internal.h - the fields of struct request, for request*.c. */
#pragma once

#include "proto/request/inputs.h"
#include "proto/request/param_names.h"
#include "proto/request/request.h"

struct request_given {
    const struct pe_param *param;       /* the row that param_names_find found for the name */
    const struct pe_spelling *spelling; /* by which it was given; NULL: by its own name */
    bool in_body;
};

struct request {
    const struct pe_encoding *enc;
    struct pe_args *args;
    const struct models *models;
    struct request_options options;
    const struct format *other_format; /* the format of the answer if options.format, which is
                                        * the body's, does not hold it; or NULL */
    size_t given_count;
    bool has_body;
    const struct format *own_format; /* of request_set_format; NULL: one of formats.def */
    void *format_context;
    void (*free_context)(void *context);
    char *key; /* hashed for the tag; ends with the canonical form or the lists */
    size_t canonical_at, key_len;
    uint64_t list_bytes; /* the bytes of the long lists */
    char etag[40], gzip_etag[64];
    char old_names[REQUEST_OLD_NAMES_SIZE];
    struct request_given given[PARAM_NAMES_MAX];
    struct inputs inputs;
};

/* Of request_format.c: sets options.format before the check, by format=, Accept and the body;
 * and once the number of outputs is known, in place of a body's format that holds one. */
void request_format_choose(struct request *request, const char *accept, size_t accept_len);
void request_format_fit(struct request *request, size_t outputs);

/* Of request_check.c: replaces the names in the problems from index `before` on by JSON
 * pointers, where a problem is about the body. */
void request_check_mark(const struct request *request, struct pe_errors *errors, size_t before);
/* Checks the options, the model, the tensors, the arguments and the format, all at once.
 * Problems are in *errors. */
void request_check(struct request *request, struct pe_errors *errors);

/* Writes "length is the old name of len, n is the old name of nodes;
 * ...". */
void request_write_old_names(struct request *request);

/* Of request_key.c: writes the key and the tags from checked arguments and options. */
enum pe_status request_write_key(struct request *request, struct pe_errors *errors);
/* Writes the key and the tags of a request that is like another one but for the value of `pos`,
 * whose canonical texts are old_text and new_text. Returns false if the key has no such value,
 * or there is no memory. */
bool request_move_key(struct request *request, const struct request *like, const char *old_text,
                      const char *new_text);
