/* SPDX-License-Identifier: Apache-2.0
 * batch_job.c - the work of a batch that takes too long for its loop. A job owns the batch
 * while it works on it. */
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "proto/http/gzip.h"
#include "proto/tensors/tables.h"
#include "server/batch/batch_state.h"
#include "server/compute/compute.h"
#include "server/exchange/wait.h"
#include "server/files/model_files.h"

/* ---- the works ------------------------------------------------------------------------- */

void batch_work_read_body(struct batch *batch)
{
    const size_t before = json_body_held(batch->json);
    size_t held;

    batch->json_state = json_body_finish(batch->json);
    if (batch->json_state != JSON_BODY_OK)
        return;
    held = json_body_held(batch->json);
    if (held > before && !inflight_reserve(batch->service, held - before)) {
        batch->status = PE_NO_MEMORY;
        return;
    }
    batch->reserved_parsed = held > before ? held - before : 0;
    batch->status = batch_body_check(&batch->body, batch->json, batch->base, batch->errors);
}

void batch_work_read_part(struct batch *batch)
{
    const struct batch_context context = {.format = batch->format,
                                          .models = model_files_models(batch->models),
                                          .tables = batch->tables};

    pe_errors_clear(batch->errors);
    batch->status = batch_body_read(&batch->body, batch->next, &context, &batch->whole.request,
                                    batch->errors);
}

void batch_work_whole(struct batch *batch)
{
    struct batch_whole *whole = &batch->whole;
    struct compute compute = {.encoder = whole->encoder,
                              .elements = pe_plan_elements(whole->plan),
                              .limit = whole->limit,
                              .step = compute_step(whole->plan, 10e6),
                              .stop = &batch->stop};

    compute_run(&compute);
    whole->ns = compute.ns;
    whole->too_long = compute.result == COMPUTE_TOO_LONG;
    batch->status = compute.result == COMPUTE_STOPPED ? PE_STOPPED
                    : compute.result == COMPUTE_DONE  ? PE_OK
                                                      : PE_NO_MEMORY;
    if (batch->status == PE_OK)
        batch_answer_add(&batch->answer, batch->body.items[batch->next].id, compute.bytes,
                         compute.len);
    free(compute.bytes);
}

void batch_work_compress(struct batch *batch)
{
    struct gzip *compressor = gzip_new();

    if (!compressor || !gzip_compress(compressor, batch->answer.text.bytes,
                                      batch->answer.text.len, &batch->gzip, &batch->gzip_len))
        batch->gzip = NULL;
    gzip_free(compressor);
}

/* ---- the job --------------------------------------------------------------------------- */

struct batch_job {
    struct wait wait; /* first: a wait is cast to its job */
    struct batch *batch;
    batch_work *work;
    exchange_step *next;
};

static struct batch_job *job_of(struct wait *wait)
{
    return (struct batch_job *)(void *)wait;
}

static void run(struct wait *wait)
{
    job_of(wait)->work(job_of(wait)->batch);
}

static void settle(struct wait *wait, struct exchange *ex)
{
    struct batch_job *job = job_of(wait);

    if (ex) {
        ex->parts.batch = job->batch;
        ex->step = job->next;
    } else {
        batch_free(job->batch);
    }
    free(job);
}

static bool cancel(struct wait *wait, struct exchange *ex)
{
    pe_stop_set(&job_of(wait)->batch->stop);
    return true;
}

static const struct wait_kind kind = {
    .step = SPAN_COMPUTE, .run = run, .settle = settle, .cancel = cancel, .stops = true};

bool batch_job_start(struct exchange *ex, batch_work *work, exchange_step *next,
                     double operations)
{
    struct batch_job *job = calloc(1, sizeof *job);

    if (!job)
        return false;
    job->batch = ex->parts.batch;
    job->work = work;
    job->next = next;
    if (!wait_try(ex, &job->wait, &kind, operations)) {
        free(job);
        return false;
    }
    ex->parts.batch = NULL;
    return true;
}

/* ---- the end --------------------------------------------------------------------------- */

void batch_free(struct batch *batch)
{
    if (!batch)
        return;
    inflight_release(batch->service,
                     batch->reserved + batch->reserved_parsed + batch->whole.reserved);
    inflight_release_body(batch->service, &batch->held, 0);
    encoder_free(batch->whole.encoder);
    pe_plan_free(batch->whole.plan);
    request_free(batch->whole.request);
    batch_body_fini(&batch->body);
    json_body_free(batch->json);
    model_files_drop(batch->models);
    tables_drop(batch->tables);
    batch_answer_fini(&batch->answer);
    batch_tag_free(batch->tag);
    free(batch->errors);
    free(batch->gzip);
    free(batch);
}
