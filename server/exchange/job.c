/* SPDX-License-Identifier: Apache-2.0
 * job.c - see job.h. On the pool a job owns all data that it works on and touches nothing else;
 * on the loop's thread it gives all of it back to its exchange, unless that has given up. */
#include "server/exchange/job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/gzip.h"
#include "server/cache/body_file.h"
#include "server/compute/compute.h"
#include "server/compute/compute_plan.h"
#include "server/exchange/compress.h"
#include "server/exchange/response.h"
#include "server/exchange/wait.h"

enum { CHEAP_NS = 100000 }; /* an answer that takes less is cheap */
#define STEP 10e6           /* operations between two checks of the stop */

enum result {
    MADE,     /* the entry is ready; there was none to be made: the plan is */
    TOO_LONG, /* not cached: the computed bytes are the first of a stream */
    FAILED,
};

struct job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct exchange_loop *state;
    struct request *request;
    struct pe_plan *plan;
    struct encoder *encoder;
    struct cache_entry *entry; /* to be made; NULL: the answer is not cached */
    bool begins;               /* there is no entry: the first bytes are made, not the plan */
    uint64_t reserved;         /* bytes of the in-flight budget, without the body's */
    struct inflight_body held; /* bytes of the body that the request refers to */
    enum pe_status status;     /* result of planning */
    struct pe_errors *errors;  /* errors of planning; NULL: the plan was made before */
    bool compressed;           /* DELIVERY_COMPRESSED */
    struct pe_stop own;        /* stop of a job without an entry; else the entry has it */
    const struct pe_stop *stop;
    uint64_t plan_ns;       /* of planning, where it is timed */
    struct compute compute; /* its limit, stop and files are set when the job begins */
};

enum pe_status job_plan(struct exchange *ex)
{
    const bool brief = ex->work.delivery == DELIVERY_UNCHANGED;
    struct compute_budget budget = {exchange_service(ex), &ex->work.reserved, NULL, true, 0};
    enum pe_status status;

    pe_errors_clear(ex->problem.errors);
    span_enter(&ex->span, SPAN_PLAN);
    status = compute_plan(&budget, brief, ex->request, &ex->work.plan, &ex->work.encoder,
                          ex->problem.errors);
    ex->work.growth_ns = budget.growth_ns;
    return status;
}

bool job_is_slow(const struct service *service, const struct request *request,
                 const struct pe_plan *plan)
{
    return compute_cost_ns(plan, request_options(request)) >
           compute_most_operations(service->config.work_timeout_ms) / 4;
}

bool job_streams(const struct service *service, const struct request *request,
                 const struct encoder *encoder, const struct pe_plan *plan)
{
    if (request_options(request)->format->picture)
        return false;
    return compute_surely_longer(encoder, pe_plan_elements(plan), EXCHANGE_CACHEABLE) ||
           job_is_slow(service, request, plan);
}

/* Compresses the computed bytes. Without memory for that the answer is one to be streamed: its
 * bytes are all there. */
static void compress_whole(struct compute *compute)
{
    struct gzip *compressor = gzip_new();
    uint64_t start = uv_hrtime();
    char *bytes;
    size_t len;

    if (compressor && gzip_compress(compressor, compute->bytes, compute->len, &bytes, &len)) {
        free(compute->bytes);
        compute->identity_len = compute->len;
        compute->bytes = bytes;
        compute->len = len;
    } else {
        compute->result = COMPUTE_TOO_LONG;
    }
    gzip_free(compressor);
    compute->ns += uv_hrtime() - start;
}

/* Computes at most compute->limit bytes. A long answer is streamed where memory is short. */
static void work(struct compute *compute, const struct service *service,
                 const struct request *request, struct encoder *encoder,
                 const struct pe_plan *plan)
{
    compute->encoder = encoder;
    compute->elements = pe_plan_elements(plan);
    compute->step = compute->stop ? compute_step(plan, STEP) : 0;
    if (compute->limit == EXCHANGE_CACHEABLE && job_streams(service, request, encoder, plan))
        compute->result = COMPUTE_TOO_LONG;
    else
        compute_run(compute);
    if (compute->limit > EXCHANGE_CACHEABLE && compute->result == COMPUTE_NO_MEMORY &&
        compute->len == 0)
        compute->result = COMPUTE_TOO_LONG;
}

/* ---- settling: on the loop's thread -------------------------------------------------- */

static void forget(struct service *service, struct cache_entry **entry, int problem)
{
    cache_fail(*entry, problem);
    cache_entry_unref(*entry);
    *entry = NULL;
}

static bool fill_entry(struct service *service, struct cache_entry *entry,
                       const struct request *request, const struct encoder *encoder,
                       struct compute *compute)
{
    struct body_file *file = compute->file;
    struct cache_answer answer = {.bytes =
                                      file ? (char *)(uintptr_t)file->bytes : compute->bytes,
                                  .file = file,
                                  .len = compute->len,
                                  .elements = compute->elements,
                                  .cheap = compute->cheap};
    char *lines = response_lines(&service->config, encoder, response_has_parts(request));

    answer.headers = lines;
    if (lines && compute->identity_len > 0) {
        answer.headers = compress_lines(lines);
        free(lines);
    }
    if (!answer.headers)
        return false;
    compute->bytes = NULL;
    compute->file = NULL;
    cache_finish(service->cache, entry, &answer);
    return true;
}

/* Puts the computed bytes into the entry, or fails the entry. The pool has put a long answer
 * there already, since many short ones may have to leave the cache for it. */
static enum result settle_entry(struct exchange_loop *state, struct cache_entry **entry,
                                const struct request *request, const struct encoder *encoder,
                                struct compute *compute)
{
    struct service *service = state->service;
    const size_t index = pe_index(request_encoding(request));

    if (compute->result == COMPUTE_TOO_LONG) {
        forget(service, entry,
               compute->limit > EXCHANGE_CACHEABLE ? JOB_ENTRY_STREAMS : JOB_ENTRY_TOO_LONG);
        return TOO_LONG;
    }
    if (compute->result == COMPUTE_DONE &&
        (cache_entry_done(*entry) || fill_entry(service, *entry, request, encoder, compute))) {
        metrics_compute(loop_metrics(state->loop), index, compute->ns, compute->elements);
        if (compute->identity_len > 0)
            metrics_compressed(loop_metrics(state->loop), compute->identity_len, compute->len);
        return MADE;
    }
    forget(service, entry, PROBLEM_OVERLOADED + 1);
    free(compute->bytes);
    body_file_free(compute->file);
    compute->bytes = NULL;
    compute->file = NULL;
    return FAILED;
}

static void give_result(struct exchange *ex, enum result result, struct compute *compute)
{
    ex->work.compute_ms = (double)compute->ns / 1e6;
    if (result == TOO_LONG) {
        assert(!ex->work.prefix);
        ex->work.prefix = compute->bytes;
        ex->work.prefix_len = compute->len;
    } else if (result == FAILED) {
        exchange_fail_status(ex, PE_NO_MEMORY);
    }
}

/* Up to here the request took little time. An answer of --warm is not cheap: it is to stay. */
static bool is_cheap(const struct exchange *ex, const struct compute *compute)
{
    return compute->started + compute->ns - exchange_started_ns(ex) < CHEAP_NS &&
           ex->connection->listener_kind != LISTENER_KIND_INTERNAL;
}

enum next job_run(struct exchange *ex)
{
    enum result result;
    struct compute compute = {.limit = EXCHANGE_CACHEABLE, .is_timed = ex->span.begun};

    span_enter(&ex->span, SPAN_COMPUTE);
    work(&compute, ex->state->service, ex->request, ex->work.encoder, ex->work.plan);
    span_enter(&ex->span, SPAN_ENCODE);
    span_move(&ex->span, SPAN_COMPUTE, SPAN_ENCODE, compute.ns - compute.fill_ns);
    compute.cheap = is_cheap(ex, &compute);
    result = settle_entry(ex->state, &ex->work.entry, ex->request, ex->work.encoder, &compute);
    give_result(ex, result, &compute);
    return MORE;
}

/* ---- on the pool --------------------------------------------------------------------- */

static void run(struct wait *wait)
{
    struct job *job = (struct job *)(void *)wait;
    struct compute_budget budget = {job->service, &job->reserved, job->stop, false, 0};

    const uint64_t start = wait->is_timed ? uv_hrtime() : 0;

    job->status = pe_stop_is_set(job->stop) ? PE_STOPPED : PE_OK;
    if (job->status == PE_OK && !job->plan)
        job->status =
            compute_plan(&budget, false, job->request, &job->plan, &job->encoder, job->errors);
    if (wait->is_timed)
        job->plan_ns = uv_hrtime() - start;
    job->compute.is_timed = wait->is_timed;
    if (job->status == PE_OK && (job->entry || job->begins))
        work(&job->compute, job->service, job->request, job->encoder, job->plan);
    if (job->compressed && job->compute.result == COMPUTE_DONE)
        compress_whole(&job->compute);
    else if (job->entry && job->compute.result == COMPUTE_DONE &&
             job->compute.limit > EXCHANGE_CACHEABLE)
        (void)fill_entry(job->service, job->entry, job->request, job->encoder, &job->compute);
}

static void job_free(struct job *job)
{
    inflight_release(job->service, job->reserved);
    inflight_release_body(job->service, &job->held, 0);
    request_free(job->request);
    encoder_free(job->encoder);
    pe_plan_free(job->plan);
    free(job->compute.bytes);
    body_file_free(job->compute.file);
    free(job->errors);
    cache_entry_unref(job->entry);
    free(job);
}

/* Gives all that job_start took back to the exchange. */
static void give_back(struct job *job, struct exchange *ex)
{
    ex->request = job->request;
    ex->work.plan = job->plan;
    ex->work.encoder = job->encoder;
    ex->work.entry = job->entry;
    ex->work.reserved += job->reserved;
    job->reserved = 0;
    ex->body.memory = job->held;
    job->held.bytes = 0;
    job->request = NULL;
    job->plan = NULL;
    job->encoder = NULL;
    job->entry = NULL;
}

/* Finishes the entry, if there is one, and tells the exchange. ex: NULL if it gave up. */
static void settle_job(struct job *job, struct exchange *ex)
{
    enum result result = !job->begins                              ? MADE
                         : job->compute.result <= COMPUTE_TOO_LONG ? TOO_LONG
                                                                   : FAILED;

    if (job->entry)
        result =
            settle_entry(job->state, &job->entry, job->request, job->encoder, &job->compute);
    if (!ex)
        return;
    give_result(ex, result, &job->compute);
    job->compute.bytes = NULL;
}

static void fail_job(struct job *job, struct exchange *ex)
{
    enum problem_kind kind = job->status == PE_NO_MEMORY || job->status == PE_STOPPED
                                 ? PROBLEM_OVERLOADED
                                 : problem_kind_of(job->errors);

    if (job->entry)
        forget(job->service, &job->entry, (int)kind + 1);
    if (!ex)
        return;
    exchange_take_errors(ex, &job->errors);
    exchange_fail_status(ex, job->status);
}

/* Counts the times in which a thread worked for the request as steps, not as its wait. */
static void tell_span(const struct job *job, struct span *span)
{
    span_move(span, SPAN_WAIT, SPAN_PLAN, job->plan_ns);
    span_move(span, SPAN_WAIT, SPAN_COMPUTE, job->compute.fill_ns);
    span_move(span, SPAN_WAIT, SPAN_ENCODE, job->compute.ns - job->compute.fill_ns);
    span->before = SPAN_ENCODE;
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct job *job = (struct job *)(void *)wait;

    if (ex)
        tell_span(job, &ex->span);
    if (!wait->task.cancelled && job->status == PE_OK)
        settle_job(job, ex);
    else if (!wait->task.cancelled)
        fail_job(job, ex);
    else if (job->entry)
        forget(job->service, &job->entry, JOB_ENTRY_CANCELLED);
    if (ex)
        give_back(job, ex);
    job_free(job);
}

/* Other exchanges may wait for the entry. */
static bool cancel(struct wait *wait, struct exchange *ex)
{
    struct job *job = (struct job *)(void *)wait;

    pe_stop_set(&job->own);
    return !job->entry || cache_abandon(job->entry);
}

static const struct wait_kind kind = {
    .run = run, .step = SPAN_WAIT, .settle = settle, .cancel = cancel};

/* A job with an entry fills and writes, even if it has no plan yet. */
static double operations(const struct exchange *ex, const struct job *job, size_t limit)
{
    if (!job->plan)
        return ex->work.growth_ns +
               compute_unplanned_cost_ns(ex->request, job->entry ? limit : 0);
    return compute_limited_cost_ns(job->plan, request_options(ex->request), limit) +
           (job->compressed ? COMPRESS_OPERATIONS_A_BYTE * (double)compress_whole_len(ex) : 0);
}

/* A long answer that is kept as it is will be sent again, from a file where TLS does not need
 * the bytes in memory. */
static void begin_compute(struct compute *compute, const struct exchange *ex)
{
    compute->limit =
        ex->work.delivery == DELIVERY_COMPRESSED ? COMPRESS_WHOLE_MOST : EXCHANGE_CACHEABLE;
    if (ex->work.delivery == DELIVERY_WHOLE) {
        compute->limit = (size_t)encoder_size(ex->work.encoder);
        if (response_takes_files(ex))
            compute->files = cache_files(exchange_service(ex)->cache);
    }
}

bool job_start(struct exchange *ex)
{
    struct job *job = calloc(1, sizeof *job);

    if (!job || (!ex->work.plan && !(job->errors = calloc(1, sizeof *job->errors)))) {
        free(job);
        return false;
    }
    job->service = ex->state->service;
    job->state = ex->state;
    job->request = ex->request;
    job->plan = ex->work.plan;
    job->encoder = ex->work.encoder;
    job->entry = ex->work.entry;
    job->wait.task.makes = job->entry;
    job->begins = job->plan && !job->entry;
    job->compressed = ex->work.delivery == DELIVERY_COMPRESSED;
    begin_compute(&job->compute, ex);
    job->reserved = ex->work.reserved;
    job->held = ex->body.memory;
    job->stop = ex->work.entry ? cache_entry_stop(ex->work.entry) : &job->own;
    job->compute.stop = job->stop;
    if (!wait_try(ex, &job->wait, &kind, operations(ex, job, job->compute.limit))) {
        free(job->errors);
        free(job);
        return false;
    }
    ex->request = NULL;
    ex->work.plan = NULL;
    ex->work.encoder = NULL;
    ex->work.entry = NULL;
    ex->work.reserved = 0;
    ex->body.memory.bytes = 0;
    return true;
}
