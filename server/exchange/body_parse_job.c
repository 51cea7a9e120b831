/* SPDX-License-Identifier: Apache-2.0
 * body_parse_job.c - see body_parse_job.h. On the pool an intake owns all it works on and
 * touches nothing else; on the loop's thread it gives the request back to its exchange, if the
 * exchange still exists. */
#include "server/exchange/body_parse_job.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "proto/tensors/tables.h"
#include "proto/text/json_body.h"
#include "server/exchange/body_memory.h"
#include "server/files/model_files.h"
#include "server/files/table_files.h"
#include "server/sys/thread_pool.h"

enum {
    INLINE_BYTES = 64 << 10,    /* about ten thousand numbers: a millisecond */
    BEARABLE_BYTES = 256 << 10, /* some milliseconds: better on the loop than refused */
    OPERATIONS_A_BYTE = 10,
};

struct body_parse_job {
    struct thread_pool_task task; /* first, so that a pointer to a task is one to its intake */
    struct service *service;
    struct exchange *ex; /* NULL: the exchange waits no longer */
    struct request *request;
    struct json_body *body;
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

bool body_parse_job_is_due(const struct exchange *ex)
{
    size_t len = ex->body.json ? json_body_len(ex->body.json) : 0;

    return len > INLINE_BYTES &&
           (len > BEARABLE_BYTES || thread_pool_has_place(ex->state->pool));
}

/* ---- on the pool --------------------------------------------------------------------- */

static void on_run(struct thread_pool_task *task)
{
    struct body_parse_job *intake = (struct body_parse_job *)(void *)task;
    struct request *request = intake->request;
    const char *accept = intake->accept;
    enum pe_status query = PE_OK, body;

    if (intake->has_query)
        query = request_set_query(request, intake->query, intake->query_len, intake->errors);
    body = request_set_json(request, intake->body, intake->errors);
    json_body_free(intake->body);
    intake->body = NULL;
    if (query == PE_NO_MEMORY || body == PE_NO_MEMORY)
        intake->status = PE_NO_MEMORY;
    else /* adds its errors, so that all are reported together */
        intake->status =
            request_finish(request, accept, accept ? strlen(accept) : 0, intake->errors);
}

/* ---- on the loop --------------------------------------------------------------------- */

static void intake_free(struct body_parse_job *intake)
{
    inflight_release_body(intake->service, &intake->held, 0);
    request_free(intake->request);
    json_body_free(intake->body);
    model_files_drop(intake->models);
    tables_drop(intake->tables);
    free(intake->errors);
    free(intake);
}

static void give_back(struct body_parse_job *intake, struct exchange *ex)
{
    ex->body.parse_job = NULL;
    ex->request = intake->request;
    ex->body.memory = intake->held;
    ex->body.parse_status = intake->status;
    ex->problem.errors =
        intake->errors; /* state->errors may belong to another exchange by then */
    intake->request = NULL;
    intake->held.bytes = 0;
    intake->errors = NULL;
}

static void on_done(struct thread_pool_task *task)
{
    struct body_parse_job *intake = (struct body_parse_job *)(void *)task;
    struct exchange *ex = intake->ex;

    request_set_tables(intake->request, NULL);
    if (ex)
        give_back(intake, ex);
    intake_free(intake);
    if (ex)
        connection_resume(ex->connection); /* runs the exchange's next step */
}

/* Returns an intake with copies of the query and of Accept, which may be freed before it. */
static struct body_parse_job *intake_new(const struct exchange *ex)
{
    const char *accept = exchange_head(ex)->accept;
    size_t query = ex->target.query ? ex->target.query_len : 0,
           len = accept ? strlen(accept) + 1 : 0;
    struct body_parse_job *intake = calloc(1, sizeof *intake + query + 1 + len);

    if (!intake || !(intake->errors = calloc(1, sizeof *intake->errors))) {
        free(intake);
        return NULL;
    }
    intake->has_query = ex->target.query != NULL;
    intake->query_len = query;
    if (query > 0)
        memcpy(intake->query, ex->target.query, query);
    if (accept)
        intake->accept = memcpy(intake->query + query + 1, accept, len);
    return intake;
}

/* Moves everything that the pool needs from the exchange to the intake. */
static void take(struct body_parse_job *intake, struct exchange *ex)
{
    intake->service = ex->state->service;
    intake->ex = ex;
    intake->models = model_files_take(intake->service->models);
    intake->tables = table_files_take(intake->service->tables);
    intake->request = ex->request;
    intake->body = ex->body.json;
    intake->held = ex->body.memory;
    request_set_models(intake->request, model_files_models(intake->models));
    request_set_tables(intake->request, intake->tables);
    intake->task.run = on_run;
    intake->task.done = on_done;
    intake->task.operations = (double)OPERATIONS_A_BYTE * (double)json_body_len(ex->body.json);
    ex->request = NULL;
    ex->body.json = NULL;
    ex->body.memory.bytes = 0;
}

bool body_parse_job_start(struct exchange *ex)
{
    struct body_parse_job *intake = intake_new(ex);

    if (!intake) {
        exchange_fail_status(ex, PE_NO_MEMORY);
        return false;
    }
    take(intake, ex);
    ex->body.parse_job = intake;
    if (thread_pool_add(ex->state->pool, &intake->task))
        return true;
    ex->body.parse_job = NULL;
    intake_free(intake);
    metrics_reject(loop_metrics(ex->state->loop), METRICS_REJECT_OVERLOAD);
    exchange_fail(ex, PROBLEM_OVERLOADED, "too much is being computed; try again");
    return false;
}

/* Counts tensors made of the body's numbers for the request, since the body is freed. */
static void count_tensors(struct exchange *ex)
{
    uint64_t before = ex->body.memory.bytes;

    if (request_has_tensors(ex->request) &&
        body_memory_take_or_fail(ex, request_held(ex->request)))
        body_memory_release(ex, ex->body.memory.bytes - before);
}

enum pe_status body_parse_job_take_result(struct exchange *ex)
{
    assert(!ex->body.parse_job);
    if (ex->body.parse_status == PE_OK)
        count_tensors(ex);
    return ex->body.parse_status;
}

void body_parse_job_cancel(struct exchange *ex)
{
    struct body_parse_job *intake = ex->body.parse_job;

    if (!intake)
        return;
    intake->ex = NULL;
    ex->body.parse_job = NULL;
    (void)thread_pool_cancel(&intake->task); /* the intake may be freed then */
}

bool body_parse_job_withdraw(struct exchange *ex)
{
    if (!ex->body.parse_job || thread_pool_begun(&ex->body.parse_job->task))
        return false;
    body_parse_job_cancel(ex);
    return true;
}
