/* SPDX-License-Identifier: Apache-2.0
 * response.h - responses: built, given their headers, queued. A response that is built for one
 * request is a wrapper; a ready-made one is queued again and again (response_cache.c, pages.c).
 * Every function that returns enum next has queued an answer (DONE) or could not (CLOSE). */
#ifndef SERVER_RESPONSE_H
#define SERVER_RESPONSE_H

#include "server/exchange/internal.h"
#include "server/http/range.h"

/* What a 200 and a 304 have in common: it depends on the request, not on the answer's bytes.
 * Borrowed from the request. */
struct response_meta {
    const char *control;        /* Cache-Control */
    bool by_accept;             /* the format was chosen by Accept: Vary says both */
    bool by_coding;             /* there is a gzip variant: Vary: Accept-Encoding */
    enum content_coding coding; /* of the answer; the tag is that variant's */
    bool by_origin;             /* Vary: Origin */
    bool for_anybody;           /* cors_add_anybody */
    bool in_parts;              /* response_has_parts */
    const char *etag;           /* NULL: none, as for POST */
    const char *base;           /* in front of location; NULL: nothing */
    const char *location;       /* Content-Location; NULL: longer than a head can hold */
};

/* Cache-Control. Where a key is needed only the client's own cache may keep answers, unless
 * the operator says otherwise. */
enum response_age { RESPONSE_MINUTE, RESPONSE_DAY, RESPONSE_FOR_EVER };
const char *response_control(const struct config *config, enum response_age age);
const char *response_base(const struct config *config); /* --path-prefix, or "" */

struct response_meta response_terms(const struct exchange *ex);
/* Any byte can be had without those before it, and asked for again: Accept-Ranges. */
bool response_has_parts(const struct request *request);
/* The head of an answer to this request has room for that location (NULL: none). */
bool response_fits(const struct exchange *ex, const char *location);

/* Which bytes of the answer this request wants, `size` of them in all; `OUTSIDE`: none that are
 * there, and the problem is the next step. */
enum range_kind response_range(struct exchange *ex, const struct response_meta *terms,
                               uint64_t size, struct range *range);
bool response_add_range(struct MHD_Response *response, const struct range *range);

/* All other headers, as lines "Name: value\n"; malloc'd, NULL: no memory. */
char *response_lines(const struct config *config, const struct request *request,
                     const struct encoder *encoder);

#define RESPONSE_LEN_UNKNOWN UINT64_MAX

/* Parts of responses, for those who make them ready beforehand. NULL: out of memory. */
struct MHD_Response *response_empty(void);
struct MHD_Response *response_of_entry(struct cache_entry *entry);
/* Made of malloc'd bytes, which it frees; NULL bytes make none. */
struct MHD_Response *response_of_bytes(char *bytes, size_t len);
/* The response if all its header lines were added; else destroys it, if there is one: NULL. */
struct MHD_Response *response_if(bool complete, struct MHD_Response *response);
/* The same over some of its bytes, for 206. */
struct MHD_Response *response_of_part(struct cache_entry *entry, const struct range *range);
/* For 304. len: of the 200 that it stands for, its Content-Length (RFC 9110, 8.6); if that is
 * unknown the 304 has none, and the connection closes. */
struct MHD_Response *response_unchanged(const struct response_meta *terms, uint64_t len);
bool response_add(struct MHD_Response *response, const char *name, const char *value);
bool response_add_coding(struct MHD_Response *response, enum content_coding coding);
bool response_add_link(struct MHD_Response *response, const struct config *config);
bool response_add_lines(struct MHD_Response *response, const char *lines);
bool response_add_terms(struct MHD_Response *response, const struct response_meta *terms);
/* Server-Timing: what the cache said and, if ms > 0, how long computing took. */
bool response_add_timing(struct MHD_Response *response, const char *cache_result, double ms);

/* Queue a wrapper (taken; NULL: the emergency answer) with what this request alone wants:
 * X-Request-Id, Connection: close. */
enum next response_queue(struct exchange *ex, unsigned status, struct MHD_Response *response,
                         uint64_t bytes);
/* Queue a ready-made response; it stays its owner's. */
enum next response_ready(struct exchange *ex, unsigned status, struct MHD_Response *response,
                         uint64_t bytes);
/* This request wants a header of its own: no ready-made response. */
bool response_is_private(const struct exchange *ex);

enum next response_entry(struct exchange *ex, struct cache_entry *entry,
                         const struct response_meta *terms);
/* How long the 200 would be, where that is known without computing; may take ex->entry. */
uint64_t response_known_len(struct exchange *ex);
enum next response_not_modified(struct exchange *ex, const struct response_meta *terms,
                                uint64_t len);
enum next response_options(struct exchange *ex);
enum next response_problem(struct exchange *ex);
enum next response_emergency(struct exchange *ex);
/* The response behind response_emergency. */
struct MHD_Response *response_emergency_new(void);

#endif
