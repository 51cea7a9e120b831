/* SPDX-License-Identifier: Apache-2.0
 * request.h - one request for an encoding: its arguments and the options of the response
 * (format, data, pretty, rev), from a query, a JSON body, or both. Its calls are, in order:
 * new, set_* (errors are collected), finish, then canonical, etag and plan, all on one
 * thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/posenc.h"
#include "proto/http/content_coding.h"
#include "proto/request/option.h"
#include "proto/tensors/tensor.h"

struct format;
struct json_body;
struct json_body_value;
struct tensor_format;
struct models;
struct tables;

enum request_data { REQUEST_NESTED, REQUEST_FLAT, REQUEST_BASE64 };

struct request_options {
    const struct format *format;
    enum request_data data; /* JSON only */
    bool pretty;            /* JSON only */
    bool rev_pinned;        /* rev= was given: the response is immutable */
    bool format_given;      /* format= was given: Accept is ignored */
    bool named; /* a model or a table is given by name, which may mean another one later */
    struct option_values values; /* the values of all rows of option.h */
};

struct request_limits {
    uint64_t max_elements, max_text_elements, max_prepared;
    bool (*reserve)(void *context, uint64_t bytes); /* as in struct pe_limits; may be NULL */
    void *context;
    bool brief; /* as in struct pe_limits */
    uint64_t max_operations;
    const struct pe_stop *stop;
};

struct request;

/* Returns NULL when out of memory. */
struct request *request_new(const struct pe_encoding *enc);
/* Sets the models that model= looks names up in, instead of the embedded ones; they must
 * live until request_finish has returned. */
void request_set_models(struct request *request, const struct models *models);
/* Sets the stored tables that the request may name, none by default; they must live until
 * request_finish has returned. */
void request_set_tables(struct request *request, const struct tables *tables);
void request_free(struct request *request);

/* Sets a raw query string (percent-encoded, "+" is a plus), or one decoded name and value. */
enum pe_status request_set_query(struct request *request, const char *query, size_t len,
                                 struct pe_errors *errors);
enum pe_status request_set_text(struct request *request, const char *name, size_t name_len,
                                const char *text, size_t len, struct pe_errors *errors);
/* Sets every member of the object of a finished body, after the query; the body may be freed
 * afterwards. The problem of a member has its JSON pointer ("#/dim") in place of the name. */
enum pe_status request_set_json(struct request *request, const struct json_body *body,
                                struct pe_errors *errors);
/* Sets every member of an object of the body, which is not the body's own; pointers begin at
 * the object's base. */
enum pe_status request_set_object(struct request *request, const struct json_body *body,
                                  const struct json_body_value *object,
                                  struct pe_errors *errors);
/* Sets one member of an object of the body, which is not the body's own object. */
enum pe_status request_set_member(struct request *request, const struct json_body *body,
                                  const struct json_body_value *value,
                                  struct pe_errors *errors);

/* Sets one value of a body that is of no other format. */
enum pe_status request_give(struct request *request, const char *name, size_t name_len,
                            const struct pe_given *given, struct pe_errors *errors);
/* Returns whether the name, or another spelling of it, was given a value. */
bool request_is_given(const struct request *request, const char *name);

/* Sets the format of the response, one that formats.def does not have, so that the response is
 * not cached and Accept has no effect. The encoder finds `context` (encoder.h); the request
 * owns it from now on, and frees it by free_context. Called before request_finish. */
void request_set_format(struct request *request, const struct format *format, void *context,
                        void (*free_context)(void *context));
const void *request_format_context(const struct request *request); /* NULL: none was set */

/* Sets the tensors of a body in one of tensor_formats.def; the request owns their memory from
 * now on, and *set is empty. format is NULL for a body whose tensors have names, types and
 * shapes of their own. Numbers of lists and matrices are copied: the request is the same
 * as if a JSON body had them. A set that was empty means that the query does not describe the
 * tensors: request_finish adds this problem. */
enum pe_status request_set_tensors(struct request *request, const struct tensor_format *format,
                                   struct tensor_set *set, struct pe_errors *errors);
/* Returns whether the body contained numbers of a PE_TENSOR, so that the response depends on
 * more than the canonical form: it is not cached and has no tag and no canonical URL. */
bool request_has_tensors(const struct request *request);
/* Returns the tensors that the request holds, from its query or its body; borrowed. */
const struct tensor_set *request_tensors(const struct request *request);
/* Returns the bytes of all tensors. */
uint64_t request_held(const struct request *request);
/* Lists the input of pe_fill: borrowed elements, NULL for a tensor that was not given. */
void request_inputs(const struct request *request, const void *input[TENSOR_MAX]);
/* Returns the dtype and shape of a tensor whose body has no header, from in_dtype and shape of
 * the query; the rank is 0 if the query lacks one of them or has any error, which
 * request_finish will report. */
struct pe_tensor request_headerless_tensor(const struct pe_encoding *enc, const char *query,
                                           size_t len);

/* Negotiates the format (accept is the raw value of Accept, or NULL), checks everything at once
 * and writes the canonical form. Returns PE_OK, or a failure with problems in *errors. When no
 * format fits Accept, it returns PE_OK with options.format NULL: the response is a 406. */
enum pe_status request_finish(struct request *request, const char *accept, size_t accept_len,
                              struct pe_errors *errors);

/* Does a part of request_finish for a caller that asks about the arguments and wants no
 * response: reads the tensors and names of tables in the query, and gives the arguments the
 * settings of the model. The caller checks the arguments. */
enum pe_status request_expand(struct request *request, struct pe_errors *errors);

/* For one request after the other that differ in the text of `pos` alone. Called before
 * request_finish, keep makes the request remember what request_at needs. request_copy copies a
 * finished request that has no body, no tensors and no format of request_set_format; NULL: it
 * has, or there is no memory. request_at returns the finished request that the same query with
 * this text for `pos` is, with the same Accept, models and tables; it refers to `like`'s
 * arguments. NULL: the query must be read anew. */
void request_keep(struct request *request);
struct request *request_copy(const struct request *request);
struct request *request_at(const struct request *like, const char *text, size_t len);

const struct pe_encoding *request_encoding(const struct request *request);
const struct request_options *request_options(const struct request *request);
struct pe_args *request_args(const struct request *request); /* borrowed */

/* Returns the canonical form, "/v1/rope?base=10000&dim=128&...&format=json...", which is cache
 * key and Content-Location: percent-encoded, NUL-terminated, borrowed. Returns NULL if the form
 * has a long list (PE_LONG_LIST), which no URL holds. */
const char *request_canonical(const struct request *request, size_t *len);
/* Returns the bytes of the long lists in memory. */
uint64_t request_list_bytes(const struct request *request);
/* Returns whether the response may be cached: no tensor came in the body, the format is one of
 * formats.def, and the long lists, which are part of the key, have at most REQUEST_KEY_LISTS
 * bytes. */
enum { REQUEST_KEY_LISTS = 1 << 20 };
bool request_is_cached(const struct request *request);
/* Returns the cache key of the response in that coding; for identity it is the canonical form
 * and the bytes of long lists. Only for a response that may be cached. */
const char *request_key(const struct request *request, enum content_coding coding, size_t *len);
/* Returns the strong entity tag with its quotes, a hash of canonical form, revision and wire
 * version; the tag of the gzip variant depends on the compressor too. */
const char *request_etag(const struct request *request, enum content_coding coding);
/* Returns a sentence about the old names of parameters that the request used, "length is the
 * old name of len; ..."; "" if it used none. It is printable and shorter than
 * REQUEST_OLD_NAMES_SIZE; further names are left out. */
enum { REQUEST_OLD_NAMES_SIZE = 256 };
const char *request_old_names(const struct request *request);

/* Returns whether the response has a gzip variant: its format suits, and it may be cached,
 * since the variant is made of a cached response. */
bool request_has_gzip(const struct request *request);

/* Returns the elements of the response, which has no plan yet. The request is finished. */
uint64_t request_elements(const struct request *request);
/* Sizes and prepares the response under the limits of its format. table may be NULL. */
enum pe_status request_plan(const struct request *request, struct pe_plan **plan,
                            struct pe_table *table, const struct request_limits *limits,
                            struct pe_errors *errors);
