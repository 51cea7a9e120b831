/* SPDX-License-Identifier: Apache-2.0
 * verify.c - see verify.h. The loop takes the body, the pool does the rest: it reads the claim,
 * judges the tensors and writes the answer. When the deadline of the request passes, the search
 * is stopped, and the answer says so. */
#include "server/handlers/verify.h"

#include <stdlib.h>
#include <string.h>

#include "proto/verify/verify_answer.h"
#include "server/compute/compute.h"
#include "server/exchange/body.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/document.h"
#include "server/exchange/pool_job.h"
#include "server/files/model_files.h"

enum { OPERATIONS_AN_ELEMENT = 300, BYTES_A_NUMBER = 10 };

struct verify_job {
    struct pool_job job;
    struct service *service;
    struct model_set *models;
    const struct tensor_format *format; /* of the tensors; NULL: JSON */
    struct json_body *json;             /* a body of JSON; NULL: of tensors */
    struct tensor_set tensors;
    struct inflight_body held; /* bytes of the body in the budget of bodies */
    uint64_t reserved;         /* other bytes of the in-flight budget */
    struct pe_stop stop;
    struct pe_errors *errors;
    bool wrong_body;
    enum pe_status status;
    struct request *claim; /* handed to the exchange with the answer */
    struct buffer text;    /* the answer */
    size_t query_len;
    char query[]; /* a copy: libmicrohttpd frees the original with the exchange */
};

/* ---- on the pool ------------------------------------------------------------------------ */

static bool reserve(void *context, uint64_t bytes)
{
    struct verify_job *job = context;

    if (!inflight_reserve(job->service, bytes))
        return false;
    job->reserved += bytes;
    return true;
}

static enum pe_status judge(struct verify_job *job, struct verify_request *request)
{
    const struct config *config = &job->service->config;
    struct pe_verdict *verdict = NULL;
    struct pe_limits limits = {.max_elements = config->max_elements,
                               .max_prepared = PE_DEFAULT_MAX_PREPARED,
                               .reserve = reserve,
                               .context = job,
                               .max_operations =
                                   (uint64_t)compute_most_operations(config->work_timeout_ms),
                               .stop = &job->stop};
    enum pe_status status = verify_request_run(request, &verdict, &limits, job->errors);

    job->wrong_body = request->wrong_body;
    if (status == PE_OK) {
        verify_answer_write(&job->text, request, verdict);
        job->claim = verify_request_take_claim(request);
    }
    pe_verdict_free(verdict);
    return status;
}

/* Makes tensors of a body of JSON. They take no more memory than its numbers. */
static enum pe_status read_json(struct verify_job *job)
{
    const struct verify_body words = verify_body_of_text(job->query, job->query_len);

    if (!reserve(job, json_body_held(job->json)))
        return PE_NO_MEMORY;
    enum pe_status status =
        verify_body_read_json(job->json, &words, &job->tensors, job->errors);
    job->wrong_body = status == PE_BAD_VALUE;
    return status;
}

static enum pe_status read_and_judge(struct verify_job *job, const struct query *query)
{
    struct json_body_value claim;
    struct verify_source source = {.query = query,
                                   .body = job->json,
                                   .tensors = &job->tensors,
                                   .models = model_files_models(job->models)};
    struct verify_request request;

    source.headerless = job->format && tensor_format_is_headerless(job->format);
    source.named = !job->format || verify_body_is_named(job->format);
    if (job->json && json_body_find(job->json, NULL, "claim", &claim))
        source.claim = &claim;
    enum pe_status status = verify_request_read(&request, &source, job->errors);
    job->wrong_body = request.wrong_body;
    if (status != PE_OK)
        return status;
    status = judge(job, &request);
    verify_request_fini(&request);
    return status;
}

static void run(struct pool_job *pool_job)
{
    struct verify_job *job = (struct verify_job *)(void *)pool_job;
    struct query query;

    job->status = job->json ? read_json(job) : PE_OK;
    if (job->status != PE_OK)
        return;
    job->status = query_parse(&query, job->query, job->query_len, job->errors);
    if (job->status != PE_NO_MEMORY)
        job->status = read_and_judge(job, &query); /* its errors are added to those */
    query_fini(&query);
}

/* ---- on the loop's thread --------------------------------------------------------------- */

static enum next step_answer(struct exchange *ex)
{
    struct buffer text = {.bytes = ex->work.prefix, .len = ex->work.prefix_len};

    ex->work.prefix = NULL;
    if (ex->request && *request_old_names(ex->request) != '\0')
        metrics_old_names(loop_metrics(ex->state->loop));
    return document_answer(ex, &text);
}

static void fail(struct verify_job *job, struct exchange *ex)
{
    ex->problem.errors = job->errors; /* other exchanges overwrite the loop's */
    job->errors = NULL;
    exchange_fail_status(ex, job->status == PE_STOPPED ? PE_NO_MEMORY : job->status);
    if (job->wrong_body && ex->problem.with_errors)
        ex->problem.kind = PROBLEM_INVALID_BODY;
}

static void settle(struct pool_job *pool_job, struct exchange *ex)
{
    struct verify_job *job = (struct verify_job *)(void *)pool_job;

    ex->work.prefix =
        job->status == PE_OK ? buffer_take(&job->text, &ex->work.prefix_len) : NULL;
    if (ex->work.prefix) {
        ex->step = step_answer;
        ex->request = job->claim;
        job->claim = NULL;
    } else if (job->status == PE_OK) {
        exchange_fail_status(ex, PE_NO_MEMORY);
    } else {
        fail(job, ex);
    }
}

static void job_free(struct pool_job *pool_job)
{
    struct verify_job *job = (struct verify_job *)(void *)pool_job;

    inflight_release(job->service, job->reserved);
    inflight_release_body(job->service, &job->held, 0);
    model_files_drop(job->models);
    request_free(job->claim);
    json_body_free(job->json);
    tensor_set_fini(&job->tensors);
    buffer_fini(&job->text);
    free(job->errors);
    free(job);
}

static void stop(struct pool_job *pool_job)
{
    pe_stop_set(&((struct verify_job *)(void *)pool_job)->stop);
}

static const struct pool_job_kind kind = {
    .run = run, .settle = settle, .free = job_free, .stop = stop};

/* Returns a job with a copy of the query; NULL: out of memory. */
static struct verify_job *job_new(const struct exchange *ex)
{
    size_t len = ex->target.query ? ex->target.query_len : 0;
    struct verify_job *job = calloc(1, sizeof *job + len + 1);

    if (!job || !(job->errors = calloc(1, sizeof *job->errors))) {
        free(job);
        return NULL;
    }
    if (len > 0)
        memcpy(job->query, ex->target.query, len);
    job->query_len = len;
    return job;
}

static double operations(const struct verify_job *job)
{
    double count = job->json ? (double)json_body_len(job->json) / BYTES_A_NUMBER : 0;

    for (size_t i = 0; i < job->tensors.count; i++)
        count +=
            (double)(job->tensors.at[i].bytes / pe_dtype_size(job->tensors.at[i].info.dtype));
    return OPERATIONS_AN_ELEMENT * count;
}

enum next verify_begin(struct exchange *ex)
{
    struct tensor_set tensors;

    if (!exchange_head(ex)->has_body)
        return exchange_fail(ex, PROBLEM_INVALID_BODY,
                             "send tensors as the body: npz, npy, safetensors or JSON");
    if (body_finish(ex) == MORE && ex->problem.kind != PROBLEM_COUNT)
        return MORE;
    body_take_tensors(ex, &tensors);
    struct verify_job *job = job_new(ex);
    if (!job) {
        tensor_set_fini(&tensors);
        return exchange_fail_status(ex, PE_NO_MEMORY);
    }
    job->service = exchange_service(ex);
    job->models = model_files_take(job->service->models);
    job->format = ex->body.format;
    job->tensors = tensors;
    job->held = ex->body.memory;
    job->json = ex->body.json;
    ex->body.memory.bytes = 0;
    ex->body.json = NULL;
    return pool_job_start(ex, &job->job, &kind, operations(job));
}
