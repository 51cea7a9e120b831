/* SPDX-License-Identifier: Apache-2.0
 * request.h - what a client asked of an encoding: its arguments and the options of the
 * answer (format, data, pretty, rev), from a query, a JSON body, or both.
 *
 * Life: new -> set_* (errors are collected) -> finish -> canonical / etag / plan.
 * One thread. */
#ifndef PROTO_REQUEST_H
#define PROTO_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/http/content_coding.h"
#include "proto/request/option.h"
#include "proto/tensors/tensor.h"

struct format;
struct json_body;
struct tensor_format;
struct models;
struct tables;

enum request_data { REQUEST_NESTED, REQUEST_FLAT, REQUEST_BASE64 };

struct request_options {
    const struct format *format;
    enum request_data data;      /* json only */
    bool pretty;                 /* json only */
    bool rev_pinned;             /* rev= was given: the answer is immutable */
    bool format_given;           /* format= was given: Accept plays no part */
    bool named;                  /* model= or a table by name: what it means may change */
    struct option_values values; /* the same as rows of option.h, for those that loop */
};

struct request_limits {
    uint64_t max_elements, max_text_elements, max_prepared;
    bool (*reserve)(void *context, uint64_t bytes); /* as pe_limits have it; may be NULL */
    void *context;
    bool brief; /* as they have it too, and */
    uint64_t max_operations;
    const struct pe_stop *stop;
};

struct request;

/* NULL when out of memory. */
struct request *request_new(const struct pe_encoding *enc);
/* Where model= looks names up, instead of among the embedded ones; must live until
 * request_finish has returned. */
void request_set_models(struct request *request, const struct models *models);
/* The stored tables that may be named, none by default; until request_finish has returned. */
void request_set_tables(struct request *request, const struct tables *tables);
void request_free(struct request *request);

/* A raw query string (percent-encoded, "+" is a plus), or one decoded name and value. */
enum pe_status request_set_query(struct request *request, const char *query, size_t len,
                                 struct pe_errors *errors);
enum pe_status request_set_text(struct request *request, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors);
/* Every member of the object of a finished body, after the query; the body may go afterwards.
 * Problems with members carry their JSON pointer ("#/dim") in place of the name. */
enum pe_status request_set_json(struct request *request, const struct json_body *body,
                                struct pe_errors *errors);

/* The tensors of a body in one of tensor_formats.def; their memory is the request's from now
 * on, *set is empty. None: the query does not tell what they are, and request_finish will say
 * so. */
enum pe_status request_set_tensors(struct request *request, const struct tensor_format *format,
                                   struct tensor_set *set, struct pe_errors *errors);
/* Numbers of a tensor came in the body: the answer depends on more than the canonical form
 * says. It is not to be cached, has no tag and no canonical URL. */
bool request_has_tensors(const struct request *request);
/* Bytes of all tensors. */
uint64_t request_held(const struct request *request);
/* What pe_fill wants as its input: borrowed elements, NULL where not given. */
void request_inputs(const struct request *request, const void *input[TENSOR_MAX]);
/* What a query says of a body that does not say it: in_dtype and shape; rank 0 if it lacks
 * one or is wrong anywhere, which the request itself will tell. */
struct pe_tensor request_told(const struct pe_encoding *enc, const char *query, size_t len);

/* Negotiates the format (accept may be NULL; the raw value of Accept), checks everything at
 * once and writes the canonical form. PE_OK, or problems in *errors; when no format fits
 * Accept, PE_OK with options.format NULL: the 406. */
enum pe_status request_finish(struct request *request, const char *accept, size_t accept_len,
                              struct pe_errors *errors);

const struct pe_encoding *request_encoding(const struct request *request);
const struct request_options *request_options(const struct request *request);
struct pe_args *request_args(const struct request *request); /* borrowed */

/* Canonical form, "/v1/rope?base=10000&dim=128&...&format=json...": cache key and
 * Content-Location; percent-encoded. NUL-terminated, borrowed. NULL: a list in it is long
 * (PE_LONG_LIST), so that no URL holds it. */
const char *request_canonical(const struct request *request, size_t *len);
/* Bytes of the long lists, as the memory has them. */
uint64_t request_list_bytes(const struct request *request);
/* The answer belongs in a cache: no tensor came in the body, and the bytes of long lists,
 * which a key holds whole, are few. */
enum { REQUEST_KEY_LISTS = 1 << 20 };
bool request_is_cached(const struct request *request);
/* Key of the answer in that coding, for a cache: of the plain one the canonical form and the
 * bytes of long lists. Only of one that is cached. */
const char *request_key(const struct request *request, enum content_coding coding, size_t *len);
/* Strong entity tag with its quotes, of canonical form, revision and wire version; of the gzip
 * variant also of what its bytes depend on. */
const char *request_etag(const struct request *request, enum content_coding coding);
/* There is such a variant: its kind suits, and it is kept at all. */
bool request_is_packable(const struct request *request);

/* Sizes and prepares the answer under the limits of its format. table may be NULL. */
enum pe_status request_plan(const struct request *request, struct pe_plan **plan,
                            struct pe_table *table, const struct request_limits *limits,
                            struct pe_errors *errors);

#endif
