/* SPDX-License-Identifier: Apache-2.0
 * verify.c - see verify.h. The loop takes the body, the pool does the rest, in one task or two:
 * the first reads the claim, and judges the tensors where that takes little; what takes long,
 * a search for mistakes most of all, is a second, expensive task. When the deadline of the
 * request passes, the search is stopped, and the answer says so. */
#include "server/handlers/verify.h"

#include <stdlib.h>
#include <string.h>

#include "proto/http/sentences.h"
#include "proto/verify/verify_answer.h"
#include "proto/verify/verify_bits.h"
#include "server/compute/compute.h"
#include "server/document/document_alone.h"
#include "server/exchange/auth.h"
#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/wait.h"
#include "server/files/model_files.h"
#include "server/net/peers.h"

/* To read a tensor, or a number of JSON with its digits. */
enum { OPERATIONS_AN_ELEMENT = 4, OPERATIONS_A_BYTE = 10 };

struct verify_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct model_set *models;
    const struct tensor_format *format; /* of the tensors; NULL: JSON */
    struct json_body *json;             /* a body of JSON; NULL: of tensors */
    struct tensor_set tensors;
    struct inflight_body held;      /* bytes of the body in the budget of bodies */
    struct reservation reservation; /* other bytes of the in-flight budget */
    struct pe_errors *errors;
    bool wrong_body;
    struct verify_request request;
    bool read; /* the request was read, and is to be judged by a second run */
    enum pe_status status;
    struct request *claim; /* handed to the exchange with the answer */
    struct document_alone *answer;
    size_t query_len;
    char query[]; /* a copy: libmicrohttpd frees the original with the exchange */
};

/* ---- on the pool ------------------------------------------------------------------------ */

static struct pe_limits limits_of(struct verify_job *job)
{
    const struct config *config = &job->service->config;

    return (struct pe_limits){.max_elements = config->max_elements,
                              .max_prepared = PE_DEFAULT_MAX_PREPARED,
                              .reserve = reservation_reserve,
                              .context = &job->reservation,
                              .max_operations =
                                  (uint64_t)compute_most_operations(config->work_timeout_ms),
                              .stop = &job->wait.stop};
}

/* Takes the verdict of the request, which is over then, and writes the answer. */
static void finish(struct verify_job *job, struct pe_verdict *verdict)
{
    job->wrong_body = job->request.wrong_body;
    if (job->status == PE_OK) {
        verify_answer_write(&job->answer->text, &job->request, verdict);
        job->claim = verify_request_take_claim(&job->request);
        if (!document_alone_finish(job->answer))
            job->status = PE_NO_MEMORY;
    }
    pe_verdict_free(verdict);
    verify_request_fini(&job->request);
    job->read = false;
}

/* Judges without a search, if that is quick. All else is for another run, which ends at the
 * deadline, whatever it has to do. */
static void judge_quickly(struct verify_job *job)
{
    const struct pe_limits limits = limits_of(job);
    const double most = (double)limits.max_operations;
    struct pe_verdict *verdict = NULL;
    const double identify = verify_request_identify_operations(&job->request);
    double search = identify > 0 ? identify : most;

    if (verify_request_operations(&job->request, &limits) <= THREAD_POOL_EXPENSIVE) {
        job->status =
            verify_request_run_quickly(&job->request, &verdict, &search, &limits, job->errors);
        job->request.wrong_body = job->status == PE_BAD_VALUE;
    }
    if (verdict || job->status != PE_OK)
        finish(job, verdict);
    else
        job->wait.again = search < most ? search : most;
}

static void judge(struct verify_job *job)
{
    const struct pe_limits limits = limits_of(job);
    struct pe_verdict *verdict = NULL;

    job->status = verify_request_run(&job->request, &verdict, &limits, job->errors);
    finish(job, verdict);
}

/* Makes tensors of a body of JSON. They take no more memory than its numbers. */
static enum pe_status read_json(struct verify_job *job)
{
    const struct verify_body words = verify_body_of_text(job->query, job->query_len);

    if (!reservation_take(&job->reservation, json_body_held(job->json)))
        return PE_NO_MEMORY;
    enum pe_status status =
        verify_body_read_json(job->json, &words, &job->tensors, job->errors);
    job->wrong_body = status == PE_BAD_VALUE;
    return status;
}

static enum pe_status read_request(struct verify_job *job, const struct query *query)
{
    struct json_body_value claim;
    struct verify_source source = {.query = query,
                                   .tensors = &job->tensors,
                                   .models = model_files_models(job->models)};

    if (!reservation_take(&job->reservation, verify_bits_bytes(&job->tensors)))
        return PE_NO_MEMORY;
    verify_claim_set_body(&source, job->json, job->format, &claim);
    enum pe_status status = verify_request_read(&job->request, &source, job->errors);
    job->wrong_body = job->request.wrong_body;
    job->read = status == PE_OK;
    return status;
}

static void run(struct wait *wait)
{
    struct verify_job *job = (struct verify_job *)(void *)wait;
    struct query query;

    if (job->read) {
        judge(job);
        return;
    }
    job->status = job->json ? read_json(job) : PE_OK;
    if (job->status != PE_OK)
        return;
    job->status = query_parse(&query, job->query, job->query_len, job->errors);
    if (job->status != PE_NO_MEMORY)
        job->status = read_request(job, &query); /* its errors are added to those */
    query_fini(&query);
    if (job->status == PE_OK)
        judge_quickly(job);
}

/* ---- on the loop's thread --------------------------------------------------------------- */

static void fail(struct verify_job *job, struct exchange *ex)
{
    exchange_take_errors(ex, &job->errors);
    if (job->status == PE_STOPPED) {
        exchange_fail(ex, PROBLEM_OVERLOADED,
                      "the search did not end in the time that a request may take; try again");
        return;
    }
    exchange_fail_status(ex, job->status);
    if (job->wrong_body && ex->problem.with_errors)
        ex->problem.kind = PROBLEM_INVALID_BODY;
}

static void give(struct verify_job *job, struct exchange *ex)
{
    if (job->status != PE_OK) {
        fail(job, ex);
        return;
    }
    ex->request = job->claim;
    job->claim = NULL;
    if (ex->request && *request_old_names(ex->request) != '\0')
        metrics_old_names(loop_metrics(ex->state->loop));
    document_alone_give(ex, job->answer);
    job->answer = NULL;
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct verify_job *job = (struct verify_job *)(void *)wait;

    if (ex)
        give(job, ex);
    reservation_trim(&job->reservation, 0);
    inflight_release_body(job->service, &job->held, 0);
    if (job->read)
        verify_request_fini(&job->request);
    model_files_drop(job->models);
    request_free(job->claim);
    json_body_free(job->json);
    tensor_set_fini(&job->tensors);
    document_alone_free(job->answer);
    free(job->errors);
    free(job);
}

static const struct wait_kind kind = {
    .run = run, .step = SPAN_COMPUTE, .settle = settle, .stops = true};

/* Returns a job with a copy of the query; NULL: out of memory. */
static struct verify_job *job_new(struct exchange *ex)
{
    size_t len = ex->target.query ? ex->target.query_len : 0;
    struct verify_job *job = calloc(1, sizeof *job + len + 1);

    if (!job || !(job->errors = calloc(1, sizeof *job->errors)) ||
        !(job->answer = document_alone_new(ex))) {
        free(job ? job->errors : NULL);
        free(job);
        return NULL;
    }
    if (len > 0)
        memcpy(job->query, ex->target.query, len);
    job->query_len = len;
    return job;
}

/* Returns the operations of the first run, without those of a quick verdict. */
static double operations(const struct verify_job *job)
{
    double count = job->json ? OPERATIONS_A_BYTE * (double)json_body_len(job->json) : 0;

    for (size_t i = 0; i < job->tensors.count; i++)
        count += OPERATIONS_AN_ELEMENT * (double)(job->tensors.at[i].bytes /
                                                  pe_dtype_size(job->tensors.at[i].info.dtype));
    return count;
}

enum next verify_begin(struct exchange *ex)
{
    struct tensor_set tensors;

    if (!exchange_head(ex)->has_body)
        return exchange_fail(ex, PROBLEM_INVALID_BODY, SENTENCE_VERIFY_BODY);
    if (!body_finish(ex))
        return MORE;
    if (task_lane_peer_has_most(exchange_service(ex)->lanes.expensive, auth_peer(ex)->number)) {
        /* Its search would find no place: it is not judged either. */
        ex->work.refused = THREAD_POOL_EXPENSIVE_PEER_FULL;
        return exchange_refuse_work(ex);
    }
    body_take_tensors(ex, &tensors);
    struct verify_job *job = job_new(ex);
    if (!job) {
        tensor_set_fini(&tensors);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    job->service = exchange_service(ex);
    job->reservation = reservation_of(job->service);
    job->models = model_files_take(job->service->models);
    job->format = ex->body.format;
    job->tensors = tensors;
    job->held = ex->body.memory;
    job->json = ex->body.json;
    ex->body.memory.bytes = 0;
    ex->body.json = NULL;
    return wait_start(ex, &job->wait, &kind, operations(job));
}
