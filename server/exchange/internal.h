/* SPDX-License-Identifier: Apache-2.0
 * internal.h - declares what the files of the exchange and the handlers share. The files of
 * this folder, in the order in which a request meets them; last those that all of them use:
 *
 *     its life: exchange_drive,
 *     steps: exchange_route, exchange_read, exchange, cached,
 *     body: chunked_body, body, body_parse_job, inference_reader, body_reader,
 *     computing: job, compress, cache_wait,
 *     answers of any length: stream, stream_chunk, short_answer,
 *     responses: response_problem, response_cache, response, response_meta, emergency,
 *         response_body, cors,
 *     all: wait, exchange_memory, load_shedding, auth, exchange_fail, access_log, exchange_loop
 *
 * exchange_drive.c has what the transport calls. The first steps are in exchange_route.c and
 * exchange_read.c, the others in exchange.c; cached.c responds without computing, body.c reads
 * the body, response.c builds responses, stream.c the long ones, server/compute computes,
 * compress.c makes gzip variants; wait.c has what a suspended exchange waits for;
 * server/document and server/handlers serve what is no encoding. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/http/endpoint.h"
#include "proto/http/format.h"
#include "proto/http/problem.h"
#include "proto/request/request.h"
#include "server/cache/cache.h"
#include "server/exchange/emergency.h"
#include "server/exchange/exchange.h"
#include "server/files/loop_files.h"
#include "server/http/request_id.h"
#include "server/net/answer_queue.h"
#include "server/net/answer_share.h"
#include "server/net/connection.h"
#include "server/net/heap_trim.h"
#include "server/net/inflight.h"
#include "server/net/loop.h"
#include "server/net/turn_queue.h"
#include "server/quota/client.h"
#include "server/shared.h"
#include "server/sys/log.h"
#include "server/sys/metrics.h"
#include "server/sys/span.h"

struct batch;
struct chunked_body;
struct request_templates;
struct response_cache;
struct response_cache_answer;
struct body_reader;
struct json_body;
struct gzip;
struct response_meta;
struct thread_pool;
struct tensor_format;
struct tensor_reader;
struct tensor_set;
struct inflate;
struct inference_body;
struct wait;

/* Answers up to this many bytes are computed in one go and cached. */
enum { EXCHANGE_CACHEABLE = CACHE_SHORT_MAX };
/* The longest Content-Location in bytes: clients do not take longer URLs. */
enum { EXCHANGE_LOCATION_MAX = 8192 };

/* The result of a step. MORE: run ex->step next. YIELD: the same, once other connections were
 * served. WAIT: suspend the connection, which is resumed later. DONE: a response is queued.
 * CLOSE: none could be queued; close the connection. */
enum next { MORE, YIELD, WAIT, DONE, CLOSE };
struct exchange;
typedef enum next exchange_step(struct exchange *ex);

/* The parsed target of the request. */
struct exchange_target {
    const struct endpoint *endpoint; /* NULL: none */
    const char *path, *query;        /* decoded path; raw query, NULL if there is none */
    size_t path_len, query_len;
    const char *base;    /* prefix of every path (--path-prefix); "": none */
    char *decoded;       /* owns path when it had escapes */
    const char *segment; /* text that {...} of the endpoint matched; borrowed from path */
    size_t segment_len;
};

/* The body of the request, and what was read of it. */
struct exchange_body {
    const struct body_reader *reader;   /* NULL: there is no body, or it is refused */
    struct json_body *json;             /* a body of JSON */
    struct tensor_reader *tensors;      /* a body of tensors */
    struct tensor_set *set;             /* the tensors, when all have arrived */
    struct inference_body *inference;   /* a body of the Open Inference Protocol */
    const struct tensor_format *format; /* format of the tensors' bytes */
    struct buffer file;                 /* a body that is a file (PUT of a table) */
    struct chunked_body *chunked;       /* reads a body that comes in chunks */
    struct inflate *inflater;           /* decompresses a body with Content-Encoding */
    uint64_t received;                  /* bytes of the body that have arrived */
    bool discard;                       /* the body is refused: its bytes are dropped */
    bool arrived;                       /* all of a compressed body has arrived */
    struct inflight_body memory;        /* bytes that the body has of the in-flight budget */
    enum pe_status parse_status;        /* result of parsing the body on the pool */
};

/* The content coding of the response, and the making of its gzip variant. */
struct exchange_compress {
    struct content_coding_accept accepted; /* codings that the client accepts */
    bool gzip;                             /* the gzip variant is wanted, and there is one */
    enum content_coding coding;            /* of the response, as far as it is known */
    struct cache_entry *identity;          /* the entry that the gzip variant is made of */
    exchange_step *next_step;              /* the step after compression */
};

/* How a computed answer leaves, decided once in exchange.c when its plan is there. In one
 * go, and kept by the cache: a short answer; a long one that shrinks, whose gzip variant is
 * kept; a long one that was asked for before. In blocks, as the socket takes them, and not
 * kept: any other. What cannot be made is delivered in a later way.
 * Two are known before, and stay: a part of a batch ends where an answer would leave; and a
 * client that has any answer (If-None-Match: *) gets 304 once the plan or the entry shows that
 * there is one. */
enum delivery {
    DELIVERY_SHORT,
    DELIVERY_COMPRESSED,
    DELIVERY_WHOLE,
    DELIVERY_STREAM,
    DELIVERY_PART,
    DELIVERY_UNCHANGED,
};

/* The computation of the answer. */
struct exchange_work {
    struct pe_plan *plan;
    struct encoder *encoder;
    struct cache_entry *entry;
    enum delivery delivery;
    bool no_coalescing; /* the entry waited for failed: this exchange computes its own */
    enum thread_pool_result refused; /* of the last task that was refused */
    char *prefix; /* text that outgrew the cache: the first bytes of a stream */
    size_t prefix_len;
    struct cache_key key;     /* the last that was asked for (response_key) */
    double growth_ns;         /* time that the shared table takes to grow, for planning */
    double compute_ms;        /* duration of this exchange's own computation */
    const char *cache_result; /* for Server-Timing: "hit", "miss", "wait", "stream" */
    uint64_t reserved;        /* bytes of the in-flight budget, without the body's */
    uint64_t answer_reserved; /* part of `reserved` for an answer computed in one go */
};

/* The response that is queued. */
struct exchange_response {
    unsigned status;                 /* 0: none yet */
    uint64_t bytes;                  /* length of the response's body */
    uint64_t full_size;              /* 416: bytes of the whole answer */
    const struct cache_entry *entry; /* entry whose bytes are sent; NULL: none */
    struct cache_entry *kept;        /* keeps the entry while its file is sent; NULL: none is */
    bool shares;                     /* the response has a share of that file of its own */
    uint64_t sending;                /* bytes of work.reserved that a stream being sent has */
    uint64_t shed; /* bytes that are free when the connection, ended by load shedding, closes */
    bool closes;   /* the response ends the connection */
};

/* The hooks that replace steps of a request when the request is one part of a batch. */
struct exchange_parts_kind {
    exchange_step *end; /* takes the answer of the part, in place of a response */
    /* Counts elements that are about to be computed. False: they are too many for all parts
     * together, and the problem's step is next. */
    bool (*admits)(struct exchange *ex, uint64_t elements);
    void (*free)(struct batch *batch);
};

/* A request in parts, each of which runs the steps of a request of its own (server/batch). */
struct exchange_parts {
    const struct exchange_parts_kind *kind; /* NULL: the request has no parts */
    struct batch *batch;                    /* NULL: none, or the pool works on it */
    bool gone;           /* the client has disconnected: no other part begins */
    uint64_t started_ns; /* when the part began */
};

/* The document that is the answer (server/document), or of which an entry is the answer. */
struct exchange_document {
    void *document; /* NULL: none, or the pool works on it */
    void (*free)(void *document);
    const char *key; /* of its entries, as of request_key; borrowed from the document */
    size_t key_len;
};

/* Too few bytes are left for an answer: of its peer's share, or of the budget. */
struct exchange_lack {
    const char *detail; /* of the problem; NULL: nothing lacks */
    enum metrics_reject reason;
    uint64_t bytes; /* that were wanted */
    bool of_batch;  /* for the answer of a batch, and not for one of its parts */
};

/* The problem that is the response. */
struct exchange_problem {
    enum problem_kind kind;    /* PROBLEM_COUNT: none */
    bool of_format;            /* no format fits Accept: the formats are listed */
    struct exchange_lack lack; /* why it is PROBLEM_OVERLOADED, or none */
    bool with_errors;          /* *errors has one entry a parameter */
    struct pe_errors *errors;  /* the loop's, the batch's, or this exchange's own */
    bool owns_errors;       /* *errors is malloc'd, and freed with the exchange or its part */
    char *entries;          /* malloc'd: of "errors", in place of *errors; NULL: none */
    unsigned retry_s;       /* seconds that Retry-After says; 0: those of the status, if any */
    bool held;              /* it is answered a second later, since the client goes on asking */
    const char *limited_by; /* the name of the client's limit that is reached; NULL: none */
    char detail[256];
};

/* The request's line in the log. */
struct exchange_access {
    uint64_t started_ns;
    uint64_t answered_ns;             /* when a response was queued; 0: none was */
    char request_id[REQUEST_ID_SIZE]; /* the client's, or a generated one */
    bool rejected;                    /* counted by access_log_reject */
};

struct exchange {
    struct exchange *next_free;
    struct exchange_loop *state;
    struct connection *connection;
    struct peer *key_peer; /* the peer of the request's API key; NULL: not asked for, or none */
    exchange_step *step;   /* the next step */
    struct wait *wait;     /* what the exchange is suspended for; NULL: nothing */
    struct request *request; /* NULL: not parsed yet, or the pool works on it */
    struct client_request client;
    struct exchange_target target;
    struct exchange_body body;
    struct exchange_compress compress;
    struct exchange_work work;
    struct exchange_response response;
    struct answer_share share; /* what the answer holds, of its peer's share */
    struct exchange_parts parts;
    struct exchange_document document;
    struct exchange_problem problem;
    struct exchange_access access;
    struct span span;       /* begun where the log wants spans */
    double turn_operations; /* of the work for which the last step yields */
};

/* The endpoints of the service (handlers/routes.c): the first step of a request at each. */
struct exchange_routes {
    exchange_step *first_step[ENDPOINT_COUNT]; /* NULL: .document */
    exchange_step *document;
    /* Writes the page that a browser shows for a problem; false: it is sent as JSON. */
    bool (*problem_page)(const struct exchange *ex, struct buffer *out);
};

/* The state that the exchanges of one loop share. Used on that loop's thread only. */
struct exchange_loop {
    struct loop_post settle; /* first: a post is cast to its state */
    struct loop *loop;
    struct service *service;
    struct response_cache *response_cache;
    struct request_templates *templates;
    struct answer_queue answers; /* the batches whose answers are not all their own yet */
    struct loop_files files;
    struct thread_pool *pool;
    struct heap_trim heap_trim;           /* of the first loop alone */
    struct gzip *compressor;              /* NULL until it is wanted */
    char accept_encoding[64];             /* the last Accept-Encoding that was parsed */
    struct content_coding_accept codings; /* its codings, kept: most clients send one text */
    struct exchange *free;
    size_t free_count;
    struct emergency emergency;
    uint64_t id_seed, id_count;            /* for generated X-Request-Id */
    uint64_t requests;                     /* requests begun on this loop, without streams */
    uint64_t requests_seen, busy_until_ms; /* kept by exchange_loop_is_busy for itself */
    size_t waits;        /* cache waits that will still be posted to this loop */
    uint64_t outdated;   /* entries that had left the cache when the response cache was swept */
    unsigned generation; /* the service's, when the response cache was swept */
    struct pe_errors errors; /* of the step that is running */
};

/* exchange_loop.c */
struct exchange *exchange_loop_take(struct exchange_loop *state); /* zeroed; NULL: no memory */
void exchange_loop_give(struct exchange_loop *state, struct exchange *ex);
void exchange_loop_make_id(struct exchange_loop *state, char id[REQUEST_ID_SIZE]);
/* True if requests came in the last milliseconds: more will, which no stream should delay. */
bool exchange_loop_is_busy(struct exchange_loop *state);

/* exchange_route.c: start sets the first step; locate runs the steps that find the endpoint. */
void exchange_start(struct exchange *ex);
void exchange_locate(struct exchange *ex);
/* exchange_read.c: the first step of a request for an encoding, which is read and checked. */
exchange_step exchange_begin_encoding;
/* exchange.c: the step after it; the first step of a part, whose ex->request is finished and
 * whose last step is ex->parts.kind->end. */
exchange_step exchange_begin_checked, exchange_begin_part;
/* Makes the problem's step the next. */
void exchange_go_problem(struct exchange *ex);
/* exchange_memory.c. DONE: the answer is whole and queued, and needs the request no more,
 * nor what was read of its body: both are freed, however slowly the client reads. Returns
 * `next`. */
enum next exchange_forget_request(struct exchange *ex, enum next next);
/* DONE: the same, and the answer needs nothing that was made for it: plan, encoder and parts
 * are freed, the bytes and the place in a line given back. */
enum next exchange_forget_work(struct exchange *ex, enum next next);
/* Frees the parts, if there are any; the connection leaves its line. */
void exchange_forget_parts(struct exchange *ex);
/* cached.c: respond without computing, from the loop's response cache; with 304 if the client
 * has the answer (both return MORE if they cannot respond); with 304 in any case. */
enum next cached_try(struct exchange *ex);
enum next cached_try_not_modified(struct exchange *ex);
enum next cached_not_modified(struct exchange *ex);
/* Adds ex->work.entry to the loop's response cache. NULL: not worth it (cached.c), or no
 * memory. */
const struct response_cache_answer *cached_add(struct exchange *ex);
/* Does the same for a document, which depends on the models and tables of that generation. */
void cached_add_document(struct exchange *ex, const struct response_meta *meta,
                         unsigned generation);
/* exchange_fail.c: makes a problem the next step; the detail says what would be right. */
enum next exchange_fail(struct exchange *ex, enum problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes a problem on the socket itself where the transport allows no response: while a body is
 * coming, or when the head has used up its memory. These are the connection's last bytes; the
 * caller drops the bytes that still come, or closes. */
void exchange_fail_raw(struct exchange *ex, enum problem_kind kind, const char *detail);
/* Makes the problem of ex->problem.errors, or of lack of memory, the next step. */
enum next exchange_fail_status(struct exchange *ex, enum pe_status status);
/* Counts the request as rejected, by its first reason alone: a batch counts once. */
void access_log_reject(struct exchange *ex, enum metrics_reject reason);
/* Makes the problem of an Accept header that no format fits, of a full pool, or of an overload
 * level at which nothing new is computed, the next step. */
enum next exchange_fail_format(struct exchange *ex);
enum next exchange_refuse_work(struct exchange *ex);
enum next exchange_refuse_computing(struct exchange *ex);
/* Takes the malloc'd errors of a job, since other exchanges overwrite the loop's, in place of
 * those that the exchange has; *errors is NULL then, and may be before. */
void exchange_take_errors(struct exchange *ex, struct pe_errors **errors);
/* Frees the errors if they are the exchange's own; the loop's are there again. */
void exchange_forget_errors(struct exchange *ex);
/* exchange_memory.c: takes bytes of the in-flight budget, and of the peer's share of it,
 * until the exchange ends; false: 503 is the next step. */
bool exchange_reserve(struct exchange *ex, uint64_t bytes);
/* Takes bytes of the peer's share alone; false: 503 is the next step. exchange_try_share: false
 * has no consequence. */
bool exchange_share(struct exchange *ex, uint64_t bytes);
bool exchange_try_share(struct exchange *ex, uint64_t bytes);
/* Too few bytes are left, of the peer's share (METRICS_REJECT_PEER) or of the budget
 * (METRICS_REJECT_MEMORY): 503 is the next step. Returns false. */
bool exchange_lacks(struct exchange *ex, uint64_t bytes, enum metrics_reject reason);
/* The work is over: frees plan and encoder, and gives the bytes of the budget back that the
 * exchange has taken; what an answer holds of the peer's share is known when it is queued
 * (exchange_settle_share). */
void exchange_release(struct exchange *ex);
/* The answer is queued: the peer's share has what it holds until it is sent. */
void exchange_settle_share(struct exchange *ex);

static inline struct service *exchange_service(const struct exchange *ex)
{
    return ex->state->service;
}

/* The steps are those of a part of a batch. */
static inline bool exchange_is_part(const struct exchange *ex)
{
    return ex->work.delivery == DELIVERY_PART;
}

/* The time when the request began, or its part at work. */
static inline uint64_t exchange_started_ns(const struct exchange *ex)
{
    return exchange_is_part(ex) ? ex->parts.started_ns : ex->access.started_ns;
}

/* The bytes of the path that a sentence shows; the path is not NUL-terminated. */
static inline int exchange_path_shown(const struct exchange *ex)
{
    return (int)(ex->target.path_len < 100 ? ex->target.path_len : 100);
}

static inline bool exchange_must_not_compute(const struct exchange *ex)
{
    return service_overload_has(ex->state->service, OVERLOAD_COMPUTE_NOTHING_NEW);
}

static inline void exchange_count(const struct exchange *ex, enum metrics_cache result)
{
    metrics_cache(loop_metrics(ex->state->loop), result);
}

/* Returns whether a step may do work of about so many operations on the loop's thread now.
 * False: it returns YIELD, and runs again when the connection has its turn (turn_queue.h). */
static inline bool exchange_may_work(struct exchange *ex, double operations)
{
    ex->turn_operations = operations;
    return turn_queue_admits(loop_turns(ex->state->loop), ex->connection, operations);
}

/* Returns the seconds that Retry-After says for a problem of that status; 0: it is left out. */
static inline unsigned exchange_retry_s(const struct exchange *ex, unsigned status)
{
    return status == 429 ? ex->problem.retry_s : status == 503;
}

static inline const struct head *exchange_head(const struct exchange *ex)
{
    return &ex->connection->head;
}
