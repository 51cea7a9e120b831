/* SPDX-License-Identifier: Apache-2.0
 * exchange.c - the life of a request, as steps in file order:
 *
 *     target -> route -> response cache -> parse -> key (or parsed) -> etag -> lookup -> plan
 *            -> acquire -> compute -> compress -> respond (or stream); any failure -> problem
 *
 * The first two are in exchange_route.c, parse and key in exchange_read.c. A step sets the next
 * step before it returns; WAIT suspends the connection until another exchange or the pool has
 * done the work, and then the next step runs. */
#include "server/exchange/internal.h"

#include <string.h>
#include <uv.h>

#include "server/compute/compute.h"
#include "server/exchange/cache_wait.h"
#include "server/exchange/compress.h"
#include "server/exchange/job.h"
#include "server/exchange/load_shedding.h"
#include "server/exchange/response.h"
#include "server/exchange/stream.h"
#include "server/exchange/wait.h"

#define SPIN_NS 20e3 /* a computation that costs less is not worth a suspension */

enum { HOLD_MS = 1000 };       /* before a client that goes on asking is refused once more */
enum { INLINE_LISTS = 80000 }; /* bytes of ten thousand numbers; longer lists go to the pool */

static exchange_step step_etag, step_lookup, step_plan, step_acquire, step_acquired,
    step_compute, step_computed, step_compress, step_respond, step_stream, step_problem;

static enum next go(struct exchange *ex, exchange_step *step)
{
    ex->step = step;
    return MORE;
}

/* ---- the steps, in order ------------------------------------------------------------- */

enum next exchange_begin_part(struct exchange *ex)
{
    ex->compress = (struct exchange_compress){.accepted.identity = true};
    return go(ex, request_is_cached(ex->request) ? step_lookup : step_plan);
}

enum next exchange_begin_checked(struct exchange *ex)
{
    /* An answer that depends on a tensor of the body is not shared: no tag, no cache. */
    return go(ex, request_has_tensors(ex->request) ? step_plan : step_etag);
}

static enum next step_etag(struct exchange *ex)
{
    ex->step = request_is_cached(ex->request) ? step_lookup : step_plan;
    return cached_try_not_modified(ex);
}

static struct cache_entry *find(struct exchange *ex, enum content_coding coding)
{
    return cache_find(exchange_service(ex)->cache, response_key(ex, coding));
}

static enum next step_lookup(struct exchange *ex)
{
    ex->compress.coding = ex->compress.gzip ? CONTENT_CODING_GZIP : CONTENT_CODING_IDENTITY;
    ex->work.entry = find(ex, ex->compress.coding);
    if (!ex->work.entry && ex->compress.gzip) {
        ex->compress.coding = CONTENT_CODING_IDENTITY;
        ex->work.entry = find(ex, CONTENT_CODING_IDENTITY);
    }
    if (!ex->work.entry)
        return go(ex, step_plan);
    ex->work.cache_result = "hit";
    exchange_count(ex, METRICS_HIT);
    if (!compress_is_due(ex) && !exchange_is_part(ex))
        cached_add(ex); /* a second request for an entry promises a third one */
    return go(ex, step_compress);
}

/* Takes bytes for an answer that is computed in one go, if they are free: else it is streamed,
 * and nobody has to give memory back for that. */
static bool reserve_answer(struct exchange *ex, uint64_t bytes)
{
    if (!exchange_try_share(ex, bytes))
        return false;
    if (!inflight_try(exchange_service(ex), bytes)) {
        answer_share_set(&ex->share, ex->share.bytes - bytes);
        return false;
    }
    ex->work.reserved += bytes;
    ex->work.answer_reserved += bytes;
    return true;
}

static void unreserve_answer(struct exchange *ex)
{
    inflight_release(exchange_service(ex), ex->work.answer_reserved);
    answer_share_set(&ex->share, ex->share.bytes - ex->work.answer_reserved);
    ex->work.reserved -= ex->work.answer_reserved;
    ex->work.answer_reserved = 0;
}

/* The long answer is computed in one go, since it was asked for before and its length is known.
 * A part of an answer, or its head alone, is not worth the whole. */
static bool suits_whole(const struct exchange *ex)
{
    const struct service *service = exchange_service(ex);
    const struct head *head = exchange_head(ex);
    const uint64_t most = service->config.max_inflight;
    uint64_t size = FORMAT_UNKNOWN;

    if (ex->work.encoder && ex->request)
        size = encoder_size(ex->work.encoder);
    return !ex->work.prefix && size != FORMAT_UNKNOWN && size > EXCHANGE_CACHEABLE &&
           size <= most / 4 && inflight_used(service) + size <= most / 2 && !head->range &&
           head->method != METHOD_HEAD && !job_is_slow(service, ex->request, ex->work.plan);
}

/* Returns the first way, from `first` on, in which the answer may leave. */
static enum delivery delivery_from(struct exchange *ex, enum delivery first)
{
    const struct service *service = exchange_service(ex);

    if (first <= DELIVERY_SHORT &&
        !job_streams(service, ex->request, ex->work.encoder, ex->work.plan))
        return DELIVERY_SHORT;
    if (ex->work.delivery >= DELIVERY_PART)
        return DELIVERY_STREAM;
    if (first <= DELIVERY_COMPRESSED && compress_suits_whole(ex))
        return DELIVERY_COMPRESSED;
    if (first <= DELIVERY_WHOLE && suits_whole(ex) &&
        cache_wants_long(service->cache, response_key(ex, CONTENT_CODING_IDENTITY),
                         encoder_size(ex->work.encoder)))
        return DELIVERY_WHOLE;
    return DELIVERY_STREAM;
}

/* Decides how the answer leaves: in one of the ways from `first` on, which follow the one that
 * was tried. */
static enum next deliver(struct exchange *ex, enum delivery first)
{
    if (ex->work.delivery == DELIVERY_COMPRESSED)
        ex->compress.gzip = false; /* it could not be made */
    if (!ex->work.prefix)
        unreserve_answer(ex);

    const enum delivery delivery = delivery_from(ex, first);

    if (ex->work.delivery < DELIVERY_PART)
        ex->work.delivery = delivery;
    if (delivery > DELIVERY_SHORT)
        ex->work.no_coalescing = false; /* that was about the short answer's entry */
    ex->compress.coding =
        delivery == DELIVERY_COMPRESSED ? CONTENT_CODING_GZIP : CONTENT_CODING_IDENTITY;
    return go(ex, delivery == DELIVERY_STREAM ? step_stream : step_acquire);
}

static enum next deliver_later(struct exchange *ex)
{
    return deliver(ex, ex->work.delivery + 1);
}

/* The answer is computed in one go, though it is long. */
static bool is_whole(const struct exchange *ex)
{
    return ex->work.delivery == DELIVERY_COMPRESSED || ex->work.delivery == DELIVERY_WHOLE;
}

/* The first byte of a picture, and the warnings in its headers, need all numbers. */
static enum next step_begin(struct exchange *ex)
{
    if (!exchange_reserve(ex, EXCHANGE_CACHEABLE))
        return MORE;
    if (!job_start(ex))
        return exchange_refuse_work(ex);
    go(ex, step_stream);
    return WAIT;
}

static enum next follow_plan(struct exchange *ex)
{
    if (ex->work.delivery == DELIVERY_UNCHANGED)
        return cached_not_modified(ex);
    if (exchange_is_part(ex) && !ex->parts.kind->admits(ex, pe_plan_elements(ex->work.plan)))
        return MORE;
    if (!request_is_cached(ex->request))
        return go(ex, request_options(ex->request)->format->picture ? step_begin : step_stream);
    return deliver(ex, DELIVERY_SHORT);
}

static enum next step_plan(struct exchange *ex)
{
    bool tensors = request_has_tensors(ex->request);
    bool heavy = pe_args_heavy(request_args(ex->request)) ||
                 request_list_bytes(ex->request) > INLINE_LISTS;
    enum pe_status status;

    /* A request whose tensors are in memory is computed even now: that frees their memory. */
    if (!tensors && exchange_must_not_compute(ex))
        return exchange_refuse_computing(ex);
    if (!heavy && (status = job_plan(ex)) != PE_STOPPED)
        return status == PE_OK ? follow_plan(ex) : exchange_fail_status(ex, status);
    if (request_is_cached(ex->request))
        return go(ex, step_acquire); /* the pool makes plan and entry */
    if (!job_start(ex))              /* the pool makes the plan alone: there is no entry */
        return exchange_refuse_work(ex);
    go(ex, follow_plan);
    return WAIT;
}

static double cost_ns(const struct exchange *ex)
{
    return ex->work.plan ? compute_cost_ns(ex->work.plan, request_options(ex->request)) +
                               ex->work.growth_ns
                         : 1e9;
}

/* The answer is computed on the loop's thread. */
static bool is_quick(const struct exchange *ex)
{
    return !is_whole(ex) && cost_ns(ex) <= COMPUTE_INLINE_NS;
}

/* This exchange either makes the answer or waits for the exchange that makes it. It first waits
 * for its turn on the loop: if it had the entry meanwhile, requests of other peers for the same
 * answer would wait for the turns of this one's peer. */
static enum next step_acquire(struct exchange *ex)
{
    enum cache_result result;

    if (is_quick(ex) && !exchange_is_part(ex) && !exchange_may_work(ex, cost_ns(ex)))
        return YIELD;
    result = cache_wait_get(ex, ex->compress.coding);
    if (result == CACHE_NO_MEMORY)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    ex->work.cache_result = result == CACHE_MAKE   ? "miss"
                            : result == CACHE_WAIT ? "wait"
                                                   : "hit";
    exchange_count(ex, result == CACHE_MAKE   ? METRICS_MISS
                       : result == CACHE_WAIT ? METRICS_WAIT
                                              : METRICS_HIT);
    if (result == CACHE_MAKE)
        return go(ex, step_compute);
    if (result == CACHE_READY)
        return go(ex, step_compress);
    go(ex, step_acquired);
    /* A computation that is faster than a suspension is waited for by spinning. */
    return cost_ns(ex) < SPIN_NS && cache_wait_spin(ex, (uint64_t)SPIN_NS) ? MORE : WAIT;
}

static void drop_entry(struct exchange *ex)
{
    cache_entry_unref(ex->work.entry);
    ex->work.entry = NULL;
}

/* The entry that this exchange waited for is done: it has an answer; or each request must go on
 * by itself (too long for the cache, the client's error); or all get one problem (500, 503). */
static enum next step_acquired(struct exchange *ex)
{
    int problem = cache_entry_problem(ex->work.entry);

    if (cache_entry_answer(ex->work.entry))
        return go(ex, step_compress);
    drop_entry(ex);
    if (problem == JOB_ENTRY_TOO_LONG && ex->work.delivery == DELIVERY_WHOLE)
        return deliver(ex, DELIVERY_WHOLE); /* its maker has not tried the whole */
    if ((problem == JOB_ENTRY_TOO_LONG || problem == JOB_ENTRY_STREAMS) && ex->work.encoder)
        return deliver_later(ex);
    if (problem > 0 && problem_status((enum problem_kind)(problem - 1)) >= 500)
        return exchange_fail(ex, (enum problem_kind)(problem - 1),
                             "the computation that this request waited for failed; try again");
    ex->work.no_coalescing = problem != JOB_ENTRY_CANCELLED;
    return go(ex, ex->work.plan ? step_acquire : step_plan);
}

/* problem: of the requests that wait for the entry. */
static enum next give_up_entry(struct exchange *ex, int problem)
{
    cache_fail(ex->work.entry, problem);
    drop_entry(ex);
    return MORE;
}

/* The whole answer is computed on the pool, and perhaps compressed; without memory or a free
 * place in the queue it is streamed instead, by this exchange and by those that wait for the
 * entry. */
static enum next compute_whole(struct exchange *ex)
{
    const uint64_t size = ex->work.delivery == DELIVERY_COMPRESSED
                              ? compress_whole_bytes(ex)
                              : encoder_size(ex->work.encoder);

    if (reserve_answer(ex, size) && job_start(ex)) {
        go(ex, step_computed);
        return WAIT;
    }
    cache_fail(ex->work.entry, JOB_ENTRY_STREAMS);
    drop_entry(ex);
    return deliver_later(ex);
}

static enum next step_compute(struct exchange *ex)
{
    if (is_whole(ex))
        return compute_whole(ex);

    const uint64_t size =
        ex->work.encoder && !request_options(ex->request)->format->picture
            ? compute_most_bytes(ex->work.encoder, ex->work.plan, EXCHANGE_CACHEABLE)
            : EXCHANGE_CACHEABLE;

    if (!exchange_reserve(ex, size)) /* another request, perhaps of another peer, may make it */
        return give_up_entry(ex, JOB_ENTRY_CANCELLED);
    ex->work.answer_reserved += size;
    go(ex, step_computed);
    if (is_quick(ex))
        return job_run(ex);
    if (job_start(ex))
        return WAIT;
    exchange_refuse_work(ex);
    return give_up_entry(ex, PROBLEM_OVERLOADED + 1);
}

static enum next step_computed(struct exchange *ex)
{
    return ex->work.entry ? go(ex, step_compress) : deliver_later(ex);
}

static enum next step_compress(struct exchange *ex)
{
    ex->step = step_respond;
    if (compress_is_impossible(ex))
        return MORE;
    return compress_is_due(ex) && ex->work.delivery != DELIVERY_UNCHANGED ? compress_begin(ex)
                                                                          : MORE;
}

static enum next step_respond(struct exchange *ex)
{
    if (exchange_is_part(ex))
        return ex->parts.kind->end(ex);

    struct response_meta meta = response_meta_of(ex);

    if (ex->work.plan) { /* the cache counts the bytes of the answer, as kept or as lent */
        exchange_release(ex);
        load_shedding_beside(ex->connection);
    }
    return exchange_forget_request(ex, ex->work.delivery == DELIVERY_UNCHANGED
                                           ? cached_not_modified(ex)
                                           : response_entry(ex, ex->work.entry, &meta, NULL));
}

static enum next step_stream(struct exchange *ex)
{
    if (exchange_is_part(ex))
        return ex->parts.kind->end(ex);
    ex->work.cache_result = "stream";
    if (ex->work.delivery == DELIVERY_UNCHANGED)
        return cached_not_modified(ex);
    if (compress_refuses_identity(ex))
        return MORE;
    return stream_answer(ex);
}

static enum next step_problem(struct exchange *ex)
{
    if (ex->problem.held) {
        ex->problem.held = false;
        return wait_hold(ex, HOLD_MS, step_problem);
    }
    return exchange_is_part(ex) ? ex->parts.kind->end(ex)
                                : exchange_forget_work(ex, response_problem(ex));
}

/* ---- for the driver ------------------------------------------------------------------ */

void exchange_go_problem(struct exchange *ex)
{
    go(ex, step_problem);
}
