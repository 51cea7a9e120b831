/* SPDX-License-Identifier: Apache-2.0
 * answer.h - responses: built, given their headers, queued. A response that is built
 * for one request is a wrapper; a ready-made one is queued again and again (hot.c, pages.c).
 * Every function that returns enum next has queued an answer (DONE) or could not (CLOSE). */
#ifndef SERVER_ANSWER_H
#define SERVER_ANSWER_H

#include "server/exchange/exchange_parts.h"
#include "server/http/range.h"

/* What a 200 and a 304 have in common: it depends on the request, not on the answer's bytes.
 * Borrowed from the request. */
struct answer_terms {
    const char *control;  /* Cache-Control */
    bool by_accept;       /* the format was chosen by Accept: Vary says both */
    bool by_coding;       /* there is a gzip variant: Vary: Accept-Encoding */
    enum coding coding;   /* of the answer; the tag is that variant's */
    bool by_origin;       /* Vary: Origin */
    bool for_anybody;     /* cors_add_anybody */
    bool in_parts;        /* answer_has_parts */
    const char *etag;     /* NULL: none, as for POST */
    const char *base;     /* in front of location; NULL: nothing */
    const char *location; /* Content-Location; NULL: longer than a head can hold */
};

/* Cache-Control. Where a key is needed only the client's own cache may keep answers, unless
 * the operator says otherwise. */
enum answer_age { ANSWER_MINUTE, ANSWER_DAY, ANSWER_FOR_EVER };
const char *answer_control(const struct config *config, enum answer_age age);
const char *answer_base(const struct config *config); /* --path-prefix, or "" */

struct answer_terms answer_terms(const struct exchange *ex);
/* Any byte can be had without those before it, and asked for again: Accept-Ranges. */
bool answer_has_parts(const struct request *request);
/* The head of an answer to this request has room for that location (NULL: none). */
bool answer_fits(const struct exchange *ex, const char *location);

/* Which bytes of the answer this request wants, `size` of them in all; `OUTSIDE`: none that are
 * there, and the problem is the next step. */
enum range_kind answer_range(struct exchange *ex, const struct answer_terms *terms,
                             uint64_t size, struct range *range);
bool answer_add_range(struct MHD_Response *response, const struct range *range);

/* All other headers, as lines "Name: value\n"; malloc'd, NULL: no memory. */
char *answer_lines(const struct config *config, const struct request *request,
                   const struct encoder *encoder);

#define ANSWER_LEN_UNKNOWN UINT64_MAX

/* Parts of responses, for those who make them ready beforehand. NULL: out of memory. */
struct MHD_Response *answer_empty(void);
struct MHD_Response *answer_of_entry(struct cache_entry *entry);
/* The same over some of its bytes, for 206. */
struct MHD_Response *answer_of_part(struct cache_entry *entry, const struct range *range);
/* For 304. len: of the 200 that it stands for, its Content-Length (RFC 9110, 8.6); if that is
 * unknown the 304 has none, and the connection closes. */
struct MHD_Response *answer_unchanged(const struct answer_terms *terms, uint64_t len);
bool answer_add(struct MHD_Response *response, const char *name, const char *value);
bool answer_add_coding(struct MHD_Response *response, enum coding coding);
bool answer_add_link(struct MHD_Response *response, const struct config *config);
bool answer_add_lines(struct MHD_Response *response, const char *lines);
bool answer_add_terms(struct MHD_Response *response, const struct answer_terms *terms);
/* Server-Timing: what the cache said and, if ms > 0, how long computing took. */
bool answer_add_timing(struct MHD_Response *response, const char *cache_result, double ms);

/* Queue a wrapper (taken; NULL: the emergency answer) with what this request alone wants:
 * X-Request-Id, Connection: close. */
enum next answer_queue(struct exchange *ex, unsigned status, struct MHD_Response *response,
                       uint64_t bytes);
/* Queue a ready-made response; it stays its owner's. */
enum next answer_ready(struct exchange *ex, unsigned status, struct MHD_Response *response,
                       uint64_t bytes);
/* This request wants a header of its own: no ready-made response. */
bool answer_is_private(const struct exchange *ex);

enum next answer_entry(struct exchange *ex, struct cache_entry *entry,
                       const struct answer_terms *terms);
/* How long the 200 would be, where that is known without computing; may take ex->entry. */
uint64_t answer_known_len(struct exchange *ex);
enum next answer_not_modified(struct exchange *ex, const struct answer_terms *terms,
                              uint64_t len);
enum next answer_options(struct exchange *ex);
enum next answer_problem(struct exchange *ex);
enum next answer_emergency(struct exchange *ex);
/* The response behind answer_emergency. */
struct MHD_Response *answer_emergency_new(void);

#endif
