/* SPDX-License-Identifier: Apache-2.0
 * response.h - builds and queues responses. One is built for one request, of a head and a body,
 * or it is ready-made and queued again and again (response_cache.c). Every function that
 * returns enum next has queued a response (DONE) or could not (CLOSE). */
#pragma once

#include "server/exchange/cors.h"
#include "server/exchange/internal.h"
#include "server/exchange/response_body.h"

/* The header fields that a 200 and a 304 share: they depend on the request, not on the bytes of
 * the answer. Borrowed from the request. */
struct response_meta {
    const char *control;        /* Cache-Control */
    bool by_accept;             /* Accept chose the format: Vary: Accept, Accept-Encoding */
    bool by_coding;             /* there is a gzip variant: Vary: Accept-Encoding */
    enum content_coding coding; /* of the variant that is sent, whose tag is `etag` */
    enum cors cors;             /* CORS_LISTED: Vary: Origin; CORS_ANYBODY: for any origin */
    bool in_parts;              /* response_has_parts */
    bool untimed;               /* no Server-Timing: nothing was computed */
    const char *etag;           /* NULL: none, as for POST */
    const char *base;           /* in front of location; NULL: nothing */
    const char *location;       /* Content-Location; NULL: longer than a head can hold */
    unsigned rev;               /* Posenc-Rev; 0: none, as for answers of several encodings */
    const char *old_names;      /* request_old_names, as Posenc-Warning */
};

/* Cache-Control. With --api-keys-file only the client's own cache may keep answers, unless
 * --cache-public is given. */
enum response_age { RESPONSE_MINUTE, RESPONSE_HOUR, RESPONSE_FOR_EVER };
const char *response_cache_control(const struct config *config, enum response_age age);
const char *response_base(const struct config *config); /* --path-prefix, or "" */

/* Returns the key of that variant's entry in the cache, of the document or else of the request;
 * request_key says when it may be called. */
struct cache_key response_key(struct exchange *ex, enum content_coding coding);
struct response_meta response_meta_of(const struct exchange *ex);
/* True if a part of the answer can be made by itself, and asked for again: Accept-Ranges. */
bool response_has_parts(const struct request *request);
/* True if the response's head has space for that Content-Location (NULL: none). */
bool response_fits(const struct exchange *ex, const char *location);

/* Sets *range to the bytes that this request wants of an answer of `size` bytes. RANGE_OUTSIDE:
 * the answer has none of them, and the problem is the next step. */
enum range_kind response_range(struct exchange *ex, const struct response_meta *meta,
                               uint64_t size, struct range *range);

/* The headers that are not in struct response_meta, as lines "Name: value\n"; malloc'd, NULL:
 * no memory. */
char *response_lines(const struct config *config, const struct encoder *encoder, bool in_parts);

/* Writes all fields of a 200 of the entry's bytes. */
void response_write_entry(struct header_block *head, const struct cache_entry *entry,
                          const struct response_meta *meta, const char *cache_result,
                          double ms);
/* Writes Link, to the description of the service. */
void response_write_link(struct header_block *block, const struct config *config);
/* Writes Posenc-Rev; 0 writes nothing. */
void response_write_rev(struct header_block *block, unsigned rev);
/* Writes Content-Encoding, unless the bytes are the identity variant. */
void response_write_coding(struct header_block *block, enum content_coding coding);
/* Writes Content-Range of a 206. */
void response_write_range(struct header_block *block, const struct range *range);
/* Writes Server-Timing: the result of the cache and, if ms > 0, the duration of the
 * computation. */
void response_write_timing(struct header_block *block, const char *cache_result, double ms);
/* Writes a field whose value is a list, which it frees. */
void response_write_list(struct header_block *block, const char *name, struct buffer *list);
/* Writes all fields of the meta. */
void response_write_meta(struct header_block *block, const struct response_meta *meta);

/* Queues a response of this body, which is taken, and this head, to which the fields that
 * depend on this request are added: CORS, X-Request-Id, Connection: close. Without memory for
 * it, the emergency response is queued. */
enum next response_queue(struct exchange *ex, unsigned status, struct transport_body body,
                         struct header_block *head);
/* Queues a response that must not be stored, of this type and coding. */
enum next response_queue_fresh(struct exchange *ex, unsigned status, const char *type,
                               enum content_coding coding, struct transport_body body);
/* Queues a ready-made response, which its owner keeps, with the X-Request-Id of the request. */
enum next response_ready(struct exchange *ex, unsigned status,
                         struct transport_response *response, uint64_t bytes);
/* Returns whether bodies are sent to the connection from files: libmicrohttpd reads one for TLS
 * in pieces of 4 KiB. */
bool response_takes_files(const struct exchange *ex);
/* True if this request needs a header of its own, which no ready-made response has. */
bool response_is_private(const struct exchange *ex);

/* Queues the entry's bytes, or the part that is asked for. ready: a ready-made response of
 * them, whose fields this one has too; NULL: there is none. */
enum next response_entry(struct exchange *ex, struct cache_entry *entry,
                         const struct response_meta *meta, struct transport_response *ready);
/* The length of the 200, where it is known without computing; may set ex->work.entry. */
uint64_t response_known_len(struct exchange *ex);
enum next response_not_modified(struct exchange *ex, const struct response_meta *meta,
                                uint64_t len);
enum next response_options(struct exchange *ex);
enum next response_problem(struct exchange *ex);
enum next response_emergency(struct exchange *ex); /* emergency.h */
/* Returns whether the request is one of the Open Inference Protocol, whose errors have a
 * form of their own; its head may be refused, and it may have no exchange. */
bool response_is_inference(const struct connection *connection);
