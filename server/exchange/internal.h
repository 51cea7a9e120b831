/* SPDX-License-Identifier: Apache-2.0
 * internal.h - the exchange as its own files see it: exchange_route.c has the first steps,
 * exchange.c the others, cached.c what needs no computing, body.c the body, response.c
 * the responses, stream.c the long ones, compute.c the work, compress.c the gzip variants,
 * cache_wait.c, job.c and stream_chunk.c the reasons to be suspended, pages.c and health.c what
 * is no encoding. */
#ifndef SERVER_INTERNAL_H
#define SERVER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/endpoint.h"
#include "proto/http/format.h"
#include "proto/http/problem.h"
#include "proto/request/request.h"
#include "server/cache/cache.h"
#include "server/exchange/exchange.h"
#include "server/net/connection.h"
#include "server/net/inflight.h"
#include "server/net/loop.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"

struct chunked_body;
struct response_cache;
struct response_cache_answer;
struct body_parse_job;
struct body_reader;
struct job;
struct json_body;
struct gzip;
struct compress;
struct page_set;
struct thread_pool;
struct tensor_format;
struct tensor_reader;
struct inflate;
struct table_change;
struct cache_wait;

/* Answers up to this many bytes are computed in one go and cached; longer ones are streamed. */
enum { EXCHANGE_CACHEABLE = 1 << 20 };
/* The longest Content-Location: beyond it a URL is no use to anybody. */
enum { EXCHANGE_LOCATION_MAX = 8192 };
enum { EXCHANGE_ID_SIZE = 65 }; /* X-Request-Id and its NUL */

/* What a step says: go on with ex->step; suspended, the connection is resumed later; an answer
 * is queued; not even that was possible. */
enum next { MORE, WAIT, DONE, CLOSE };
struct exchange;
typedef enum next exchange_step(struct exchange *ex);

struct exchange {
    struct exchange *next_free;
    struct exchange_loop *state;
    struct connection *connection;
    exchange_step *step; /* the next one */
    uint64_t started_ns;

    const struct endpoint *endpoint; /* NULL: none */
    const char *path, *query;        /* decoded; raw, NULL if there is none */
    size_t path_len, query_len;
    const char *base;    /* of every path: --path-prefix; "": none */
    char *decoded;       /* owns path when it had escapes */
    const char *segment; /* what {...} matched; borrowed from path */
    size_t segment_len;

    const struct body_reader *reader; /* of the body; NULL: there is none, or it was refused */
    struct json_body *body;           /* a body of JSON */
    struct tensor_reader *tensors;    /* a body of tensors */
    const struct tensor_format *format; /* in which the tensors are written */
    struct buffer raw;                  /* a body that is a file (PUT of a table) */
    struct chunked_body *chunked;       /* reads a body that comes in chunks */
    struct inflate *unpacker;           /* decompresses a body with Content-Encoding */
    uint64_t body_bytes;                /* that have arrived */
    bool discard_body;                  /* the body is refused: its bytes are dropped */
    bool arrived;                       /* all of a compressed body has arrived */

    struct request *request;
    struct content_coding_accept codings; /* what the client takes */
    bool packed;                          /* the gzip variant is wanted, and there is one */
    enum content_coding coding;           /* of what is answered, as far as it is known */
    bool if_any;                          /* If-None-Match: * */
    bool no_coalescing; /* what it would wait for failed: it computes for itself */
    struct pe_plan *plan;
    struct encoder *encoder;
    struct cache_entry *entry;
    struct cache_wait *wait;       /* suspended until another has made the entry */
    struct body_parse_job *intake; /* suspended until the pool has read the body; then */
    enum pe_status intake_status;  /* what came of it */
    struct job *job;               /* suspended until the pool has done it */
    struct compress *packing;      /* the same, of the gzip variant */
    struct cache_entry *plain;     /* what that is made of, */
    exchange_step *respond;        /* and the step after it */
    struct table_change *change;   /* the same, of a file of tables */
    int job_result;                /* enum job_result, when it is done */
    char *prefix; /* text that outgrew the cache: the first bytes of a stream */
    size_t prefix_len;
    double compute_ms;        /* of this exchange's own computation */
    const char *cache_result; /* for Server-Timing: "hit", "miss", "wait", "stream" */

    const struct cache_entry *sent; /* that the answer is made of and holds; NULL: none */
    uint64_t sending;               /* of what is reserved, as long as a stream is sent */
    uint64_t leaving;               /* bytes that are free when it ends, which it was told to */
    uint64_t reserved;              /* of the in-flight budget, but for */
    struct inflight_body held;      /* what the body holds of it */
    unsigned status;                /* 0: not answered yet */
    uint64_t bytes;                 /* of the answer's body */
    uint64_t whole_len;             /* 416: of the answer that has not the bytes asked for */

    enum problem_kind problem; /* PROBLEM_COUNT: none */
    bool problem_errors;       /* *errors has one entry a parameter */
    struct pe_errors *errors;  /* the loop's, or this exchange's own (malloc'd) */
    char detail[256];
    char request_id[EXCHANGE_ID_SIZE]; /* the client's, or one made; "": none yet */
    bool request_id_sent;              /* the client's own: it is echoed */
    bool closing;                      /* the answer ends the connection */
};

/* What the exchanges of one loop share. On that loop's thread only. */
struct exchange_loop {
    struct loop *loop;
    struct service *service;
    struct response_cache *hot;
    struct page_set *pages;
    struct thread_pool *pool;
    struct gzip *packer;                  /* NULL until it is wanted */
    char accept_encoding[64];             /* the last that was read, and */
    struct content_coding_accept codings; /* what it says: most clients send the same */
    struct exchange *free;
    size_t free_count;
    struct MHD_Response *emergency;  /* 503 without any allocation */
    uint64_t id_seed, id_count;      /* of X-Request-Id */
    uint64_t requests;               /* that ever began on this loop, without streams; and */
    uint64_t requests_seen, calm_ms; /* what exchange_loop_asked knows of them */
    size_t waits;                    /* that will still be posted to this loop */
    uint64_t evictions;              /* of the cache, and */
    unsigned generation;             /* of the service, when the hot responses were swept */
    struct pe_errors errors;         /* of the step that is running */
};

/* exchange_loop.c */
struct exchange *exchange_loop_take(struct exchange_loop *state); /* zeroed; NULL: no memory */
void exchange_loop_give(struct exchange_loop *state, struct exchange *ex);
void exchange_loop_make_id(struct exchange_loop *state, char id[EXCHANGE_ID_SIZE]);
/* True if requests came lately that streams should not hold up: more will. */
bool exchange_loop_asked(struct exchange_loop *state);

/* exchange_route.c: sets the first step; takes the steps that find the endpoint. */
void exchange_start(struct exchange *ex);
void exchange_locate(struct exchange *ex);
/* handlers/routes.c: the first step at an endpoint. */
extern exchange_step *const routes_first_step[ENDPOINT_COUNT];
/* exchange.c: the first step of a request for an encoding; the problem's step is the next. */
exchange_step exchange_begin_encoding;
void exchange_go_problem(struct exchange *ex);
/* cached.c: MORE unless it could be answered without computing; from what this loop
 * has ready-made, or with 304. */
enum next cached_try(struct exchange *ex);
enum next cached_try_not_modified(struct exchange *ex);
enum next cached_not_modified(struct exchange *ex);
/* Has ex->entry ready-made from now on. NULL: it is not worth it, or not possible. */
const struct response_cache_answer *cached_add(struct exchange *ex);
/* exchange_drive.c: a problem is the next step; the detail says what would be right. */
enum next exchange_fail(struct exchange *ex, enum problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what is in ex->errors, or for lack of memory. */
enum next exchange_fail_status(struct exchange *ex, enum pe_status status);
/* Takes bytes of the in-flight budget until the exchange ends; false: 503 is the next step. */
bool exchange_reserve(struct exchange *ex, uint64_t bytes);
/* The pages' first steps, by endpoint (pages.c, health.c). */
exchange_step pages_answer, health_live, health_ready, health_metrics;

static inline struct service *exchange_service(const struct exchange *ex)
{
    return ex->state->service;
}

static inline bool exchange_must_not_compute(const struct exchange *ex)
{
    return service_overload_has(ex->state->service, OVERLOAD_COMPUTE_NOTHING_NEW);
}

static inline void exchange_count(const struct exchange *ex, enum metrics_cache result)
{
    metrics_cache(loop_metrics(ex->state->loop), result);
}

static inline const struct head *exchange_head(const struct exchange *ex)
{
    return &ex->connection->head;
}

#endif
