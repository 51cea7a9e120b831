/* SPDX-License-Identifier: Apache-2.0
 * body_parse_job.c - see body_parse_job.h. On the pool a job owns all it works on and
 * touches nothing else; on the loop's thread it gives the request back to its exchange, if the
 * exchange still exists. */
#include "server/exchange/body_parse_job.h"

#include <stdlib.h>
#include <string.h>

#include "proto/inference/inference_body.h"
#include "proto/inference/inference_request.h"
#include "proto/tensors/tables.h"
#include "proto/text/json_body.h"
#include "server/exchange/auth.h"
#include "server/exchange/body_reader.h"
#include "server/exchange/exchange_memory.h"
#include "server/exchange/inference_reader.h"
#include "server/exchange/wait.h"
#include "server/files/model_files.h"
#include "server/files/table_files.h"
#include "server/net/peers.h"

enum {
    INLINE_BYTES = 64 << 10,     /* about ten thousand numbers: a millisecond */
    FULL_POOL_BYTES = 256 << 10, /* some milliseconds: better on the loop than refused */
    OPERATIONS_A_BYTE = 10,      /* of JSON; short fractions take 3, long ones 1.5 */
    LIST_BYTES_A_BYTE =
        16, /* a list takes the time of JSON of this part of its float64 bytes */
};

struct body_parse_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct service *service;
    struct request *request;
    struct json_body *body;             /* a body of JSON, else NULL */
    const struct tensor_format *format; /* of a body of tensors, and these */
    struct tensor_set *set;
    struct inference_body *inference; /* a body of the Open Inference Protocol */
    struct inflight_body held; /* memory of the body, then of its values in the request */
    struct model_set *models;
    struct tables *tables;
    enum pe_status status;
    struct pe_errors *errors;
    const char *accept; /* copy behind the query; NULL: none */
    bool has_query;
    size_t query_len;
    char query[]; /* copy: libmicrohttpd frees the original with the exchange */
};

/* Returns the length of the body; of lists in tensors, of JSON that takes the same time. */
static uint64_t body_len(const struct exchange *ex)
{
    if (ex->body.set)
        return tensor_set_list_bytes(ex->body.set, request_encoding(ex->request)) /
               LIST_BYTES_A_BYTE;
    if (ex->body.inference)
        return inference_body_work(ex->body.inference);
    return ex->body.json ? json_body_len(ex->body.json) : 0;
}

bool body_parse_job_is_due(struct exchange *ex)
{
    uint64_t len = body_len(ex);

    return len > INLINE_BYTES &&
           (len > FULL_POOL_BYTES ||
            thread_pool_has_place(ex->state->pool, auth_peer(ex)->number));
}

double body_parse_job_operations(const struct exchange *ex)
{
    return (double)OPERATIONS_A_BYTE * (double)body_len(ex);
}

/* ---- on the pool --------------------------------------------------------------------- */

static void run(struct wait *wait)
{
    struct body_parse_job *job = (struct body_parse_job *)(void *)wait;
    struct request *request = job->request;
    const char *accept = job->accept;
    enum pe_status query = PE_OK, body;

    if (job->has_query)
        query = request_set_query(request, job->query, job->query_len, job->errors);
    body = job->inference ? inference_request_set(request, job->inference, job->errors)
           : job->set     ? request_set_tensors(request, job->format, job->set, job->errors)
                          : request_set_json(request, job->body, job->errors);
    json_body_free(job->body);
    inference_body_free(job->inference);
    job->body = NULL;
    job->inference = NULL;
    if (query == PE_NO_MEMORY || body == PE_NO_MEMORY)
        job->status = PE_NO_MEMORY;
    else /* adds its errors, so that all are reported together */
        job->status = request_finish(request, accept, accept ? strlen(accept) : 0, job->errors);
}

/* ---- on the loop --------------------------------------------------------------------- */

static void give_back(struct body_parse_job *job, struct exchange *ex)
{
    request_set_tables(job->request, NULL);
    ex->request = job->request;
    ex->body.memory = job->held;
    ex->body.parse_status = job->status;
    exchange_take_errors(ex, &job->errors);
    job->request = NULL;
    job->held.bytes = 0;
    if (job->status == PE_OK && body_is_inference(ex))
        (void)inference_reader_settle(ex);
    else if (job->status == PE_OK && !ex->body.format && request_has_tensors(ex->request))
        (void)exchange_hand_over_body(ex);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct body_parse_job *job = (struct body_parse_job *)(void *)wait;

    if (ex)
        give_back(job, ex);
    inflight_release_body(job->service, &job->held, 0);
    request_free(job->request);
    json_body_free(job->body);
    inference_body_free(job->inference);
    tensor_set_free(job->set);
    model_files_drop(job->models);
    tables_drop(job->tables);
    free(job->errors);
    free(job);
}

static bool cancel(struct wait *wait, struct exchange *ex)
{
    (void)wait, (void)ex; /* a job that has begun ends by itself */
    return true;
}

static const struct wait_kind kind = {
    .run = run, .step = SPAN_READ, .settle = settle, .cancel = cancel};

/* Returns a job with copies of the query and of Accept, which may be freed before it. */
static struct body_parse_job *parse_job_new(const struct exchange *ex)
{
    const char *accept = exchange_head(ex)->accept;
    size_t query = ex->target.query ? ex->target.query_len : 0,
           len = accept ? strlen(accept) + 1 : 0;
    struct body_parse_job *job = calloc(1, sizeof *job + query + 1 + len);

    if (!job || !(job->errors = calloc(1, sizeof *job->errors))) {
        free(job);
        return NULL;
    }
    job->has_query = ex->target.query != NULL;
    job->query_len = query;
    if (query > 0)
        memcpy(job->query, ex->target.query, query);
    if (accept)
        job->accept = memcpy(job->query + query + 1, accept, len);
    return job;
}

/* Moves everything that the pool needs from the exchange to the job. */
static void take(struct body_parse_job *job, struct exchange *ex)
{
    job->service = ex->state->service;
    job->models = model_files_take(job->service->models);
    job->tables = table_files_take(job->service->tables);
    job->request = ex->request;
    job->body = ex->body.json;
    job->format = ex->body.format;
    job->set = ex->body.set;
    job->inference = ex->body.inference;
    job->held = ex->body.memory;
    request_set_models(job->request, model_files_models(job->models));
    request_set_tables(job->request, job->tables);
    ex->request = NULL;
    ex->body.json = NULL;
    ex->body.set = NULL;
    ex->body.inference = NULL;
    ex->body.memory.bytes = 0;
}

enum next body_parse_job_start(struct exchange *ex)
{
    const double operations = body_parse_job_operations(ex);
    struct body_parse_job *job = parse_job_new(ex);

    if (!job)
        return exchange_fail_status(ex, PE_NO_MEMORY);
    take(job, ex);
    return wait_start(ex, &job->wait, &kind, operations);
}
